import "server-only";
import { withTransaction } from "@/lib/db/client";
import { type Claim, insertClaim } from "@/lib/db/queries/idempotency";
import type { Tx } from "@/lib/db/database";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { lockOwner } from "@/lib/db/queries/wallets";
import { AppError, assert } from "@/lib/errors";
import type { Answer } from "@/lib/schemas/envelope";
import { writeSubmitting } from "@/lib/services/remote-orders/new-order";
import { readAnswer } from "@/lib/services/remote-orders/resume-remote-order";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { submitOrder } from "@/lib/services/remote-orders/submit-order";
import type { OrderSubmission, RemoteVenue } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/**
 * Signs an order, writes it down with its claim and its reservation, and only then sends it.
 *
 * @returns null when another request has the key.
 * @throws the 502 that says to repeat the request with the same key while its fate is not known.
 */
export async function placeRemoteOrder(
  venue: RemoteVenue,
  claim: Claim,
  submission: OrderSubmission,
): Promise<Answer | null> {
  const trader = await requireTrader(claim.userId);
  const signed = await venue.signOrder(trader, submission);
  const isClaimed = await withTransaction(async (tx) => {
    await requireSameWallet(tx, trader);
    if (!(await insertClaim(tx, claim))) return false;
    await writeSubmitting(tx, submission, { signed, keyHash: claim.keyHash });
    return true;
  });
  if (!isClaimed) return null;
  await submitOrder({ venue, trader }, claim.orderId, { isFirst: true });
  const answer = await readAnswer(claim);
  assert(answer, "an order whose fate is known has its answer");
  return answer;
}

/** The wallet that signed is still the user's: its removal waits for this, or this for its removal. */
async function requireSameWallet(tx: Tx, { userId, address }: Trader): Promise<void> {
  await lockOwner(tx, userId);
  const wallet = await selectLiveWallet(tx, userId);
  if (wallet?.address === address) return;
  throw new AppError("WALLET_NOT_FOUND", "this user's live wallet was just removed");
}
