/** How far an exchange's allowance reaches. */
export type AllowanceState = "unknown" | "none" | "unlimited" | "enough" | "short";

/** What ERC-20 tokens count as without end. */
const UNLIMITED = 2n ** 256n - 1n;

/** Compares base units that the exchange may spend with those that are there. */
export function allowanceState(allowance: bigint | null, balance: bigint): AllowanceState {
  if (allowance === null) return "unknown";
  if (allowance === 0n) return "none";
  if (allowance === UNLIMITED) return "unlimited";
  return allowance >= balance ? "enough" : "short";
}
