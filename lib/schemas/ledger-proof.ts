import { z } from "zod";
import { Instant, UsdcNumber } from "@/lib/schemas/units";

/** The cash that entered (positive) or left an account for one reason. */
const CashFlow = z.strictObject({
  amountUsdc: UsdcNumber,
  /** The number of deposits, trades or payouts. */
  events: z.int(),
});

/** What an account's value consists of, as sums over the ledger. The parts add up exactly. */
export const LedgerProof = z.strictObject({
  deposits: CashFlow,
  bought: CashFlow,
  sold: CashFlow,
  fees: CashFlow,
  payouts: CashFlow,
  /** The part of a live wallet's cash that Ante's ledger has no transfers for; null on paper. */
  outsideUsdc: UsdcNumber.nullable(),
  cashUsdc: UsdcNumber,
  /** The part of the cash that open orders reserve. */
  reservedUsdc: UsdcNumber,
  /** The positions at the prices of `at`. */
  positionsUsdc: UsdcNumber,
  positions: z.int(),
  totalUsdc: UsdcNumber,
  /** The account's ledger accounts, recomputed from their transfers. */
  verification: z.strictObject({
    transfers: z.int(),
    accounts: z.int(),
    mismatches: z.int(),
  }),
  at: Instant,
});
