import "server-only";
import type { SQL } from "drizzle-orm";

/** The claim of an idempotency key for an order. */
export interface Claim {
  userId: string;
  keyHash: string;
  fingerprint: string;
  /** The fields of the fingerprint. An error names the one that differs. */
  fields: Record<string, string>;
  orderId: string;
  createdAt: Date;
}

/** A response as it is stored with its claim. */
export interface StoredAnswer {
  status: number;
  body: string;
}

/** The transaction of an order inserts the claim first, and stores the response with it last. */
export interface PlacementRecord<Result> {
  claim: Claim;
  toAnswer: (result: Result) => StoredAnswer;
}

/** Builds a statement that a caller adds to the transaction that cancels an order. */
export type CancelRecord = (orderId: string) => SQL;
