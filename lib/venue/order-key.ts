import "server-only";
import type { Claim } from "@/lib/db/queries/idempotency";
import type { Answer } from "@/lib/schemas/envelope";

/** The key that an order came with, and what is answered to whoever comes with it again. */
export interface OrderKey<Result> {
  claim: Claim;
  answerOf: (result: Result) => Answer;
}
