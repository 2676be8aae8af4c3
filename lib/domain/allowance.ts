import { smaller } from "@/lib/units";
import type { ExchangeName } from "@/lib/domain/protocol";

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
export type Approvals = Record<ExchangeName, bigint | null>;

/**
 * Returns the smallest known approval, which is enough for orders of every market. ExchangeV3 counts
 * once the wallet has approved it: wallets that only trade the first protocol need not.
 */
export function getSmallestApproval({ ctf, negRisk, v3 }: Approvals): bigint | null {
  return [ctf, negRisk, v3 === 0n ? null : v3].reduce(
    (least, each) => (least === null || each === null ? (least ?? each) : smaller(least, each)),
    null,
  );
}
