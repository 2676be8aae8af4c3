import { smaller } from "@/lib/units";

/** An exchange's allowance, compared with the balance. */
export type AllowanceState = "unknown" | "none" | "unlimited" | "enough" | "short";

/** The ERC-20 convention for an unlimited allowance. */
const UNLIMITED = 2n ** 256n - 1n;

/** Compares an allowance with a balance, both in base units. */
export function classifyAllowance(allowance: bigint | null, balance: bigint): AllowanceState {
  if (allowance === null) return "unknown";
  if (allowance === 0n) return "none";
  if (allowance === UNLIMITED) return "unlimited";
  return allowance >= balance ? "enough" : "short";
}

/**
 * Base units of USDC that each exchange contract may spend; null while unknown. An order needs only
 * the approval of the contract that settles its market.
 */
export interface Approvals {
  standard: bigint | null;
  negRisk: bigint | null;
}

/** Returns the smaller known approval, which is enough for orders of every market. */
export function getSmallestApproval({ standard, negRisk }: Approvals): bigint | null {
  if (standard === null || negRisk === null) return standard ?? negRisk;
  return smaller(standard, negRisk);
}
