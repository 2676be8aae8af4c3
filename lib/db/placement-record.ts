import "server-only";
import type { SQL } from "drizzle-orm";

/** Statements that a caller adds to the transaction of an order: its claim, and the outcome. */
export interface PlacementRecord<Result> {
  /** Inserts the claim and returns a row. Without a row, nothing is placed. */
  claim: SQL;
  /** Stores the outcome with the claim. */
  storeResult: (result: Result) => SQL;
}

/** Builds a statement that a caller adds to the transaction that cancels an order. */
export type CancelRecord = (orderId: string) => SQL;
