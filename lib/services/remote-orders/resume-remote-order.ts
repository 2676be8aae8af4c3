import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now, pause } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectClaim, type StoredClaim } from "@/lib/db/queries/idempotency";
import { env } from "@/lib/env";
import type { Answer } from "@/lib/schemas/envelope";
import { storedAnswer } from "@/lib/services/orders/idempotency";
import { inProgress } from "@/lib/services/orders/in-progress";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { submitOrder, takeOver } from "@/lib/services/remote-orders/submit-order";
import { remoteVenue } from "@/lib/venue";

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

type ClaimKey = Pick<StoredClaim, "userId" | "keyHash">;

/**
 * Goes on with an order whose fate is not known: waits while another request is posting it,
 * otherwise looks it up and posts the same bytes again.
 *
 * @throws ORDER_IN_PROGRESS, or the 502 that says to repeat the request with the same key.
 */
export async function resumeRemoteOrder(
  { userId }: Principal,
  claim: StoredClaim,
): Promise<Answer> {
  const deadline = now() + env().IN_PROGRESS_WAIT_MS;
  for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS)) {
    const answer = await readAnswer(claim);
    if (answer) return answer;
    if (await takeOver(claim.orderId)) {
      const trader = await requireTrader(userId);
      await submitOrder({ venue: remoteVenue(), trader }, claim.orderId, null);
      continue;
    }
    if (now() + waitMs >= deadline) throw inProgress();
    await pause(waitMs);
  }
}

/** The answer that is kept with a claim by now. */
export async function readAnswer({ userId, keyHash }: ClaimKey): Promise<Answer | null> {
  const stored = await selectClaim(await getDb(), userId, keyHash);
  return stored && storedAnswer(stored);
}
