import "server-only";
import { getDb } from "@/lib/db/client";
import { estimateOn } from "@/lib/domain/order-estimate";
import { readTime } from "@/lib/venue/paper/clock";
import { readBook } from "@/lib/venue/paper/store";
import { assertOpen, type PaperSubmission } from "@/lib/venue/paper/submit";
import { refreshForTaking } from "@/lib/venue/paper/source/choose";
import type { OrderEstimate } from "@/lib/venue/port";

/** What `submitPaperOrder` would do with the book as it is now. Nothing is locked or changed. */
export async function estimatePaperOrder(submission: PaperSubmission): Promise<OrderEstimate> {
  const { market } = submission;
  const time = readTime();
  assertOpen(market, time.market);
  await refreshForTaking(market);
  const book = await readBook(await getDb(), market, time.market);
  return estimateOn(submission, market, book);
}
