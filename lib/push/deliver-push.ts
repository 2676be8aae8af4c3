import "server-only";
import { now } from "@/lib/clock";
import { openAuth } from "@/lib/custody/push-secret";
import { getDb } from "@/lib/db/client";
import {
  deleteSubscriptionsAt,
  endLease,
  leaseSubscription,
  type PushSubscriptionRow,
  recordFailure,
  recordSent,
  selectSubscriptionsWithWork,
} from "@/lib/db/queries/push-subscriptions";
import { type Dispatch, dispatchDue, startDispatch } from "@/lib/dispatch";
import { log } from "@/lib/log";
import { composeMessages, type EventMessage } from "@/lib/push/compose";
import { type PushResult, sendPush } from "@/lib/push/send-push";
import type { StopJob } from "@/lib/schedule";
import { computeDelay } from "@/lib/webhooks/schedule";

const POLL_EVERY_MS = 1_000;
/** Longer than a request takes, so a browser has two senders only after one of them has died. */
const LEASE_MS = 20_000;
/** How many browsers this process sends to at the same time. */
const MAX_BROWSERS = 8;
/** The pause after each message. A burst of events is summed up meanwhile. */
const PAUSE_MS = 5_000;
/** A subscription that fails for this long is removed. */
const REMOVE_AFTER_MS = 5 * 24 * 3_600_000;

const PUSHES: Dispatch = {
  name: "push notifications",
  everyMs: POLL_EVERY_MS,
  limit: MAX_BROWSERS,
  find: async () => selectSubscriptionsWithWork(await getDb()),
  serve: serveSubscription,
  describe: (subscriptionId) => ({ subscriptionId }),
};

/** Starts to send notifications to browsers, which any number of processes share. */
export const startPush = (): StopJob => startDispatch(PUSHES);

/** Sends everything that is due, for at most `forMs`, for hosts without a process that stays. */
export const pushDue = (forMs: number): Promise<void> => dispatchDue(PUSHES, forMs);

/** Sends a browser the messages that it did not get yet, in order. */
async function serveSubscription(id: string, mayContinue: () => boolean): Promise<void> {
  const db = await getDb();
  let subscription = await leaseSubscription(db, id, LEASE_MS);
  if (!subscription) return;
  const { messages, head } = await composeMessages(db, subscription);
  let delayMs = 0;
  for (const message of messages) {
    // The next turn goes on after the last message that was recorded.
    if (!mayContinue())
      return endLease(db, subscription, { sentSeq: subscription.sentSeq, delayMs });
    subscription = await sendNext(subscription, message);
    if (!subscription) return;
    delayMs += PAUSE_MS;
  }
  await endLease(db, subscription, { sentSeq: head, delayMs });
}

/** Sends a message and records what came of it. Returns the renewed lease; null if it has ended. */
async function sendNext(
  subscription: PushSubscriptionRow,
  { message, seq }: EventMessage,
): Promise<PushSubscriptionRow | null> {
  const { endpoint, publicKey } = subscription;
  const auth = await openAuth(subscription);
  const result = await sendPush({ endpoint, publicKey, auth }, message);
  const db = await getDb();
  switch (result.outcome) {
    case "gone":
      await deleteSubscriptionsAt(db, endpoint);
      return null;
    case "failed":
      await recordFailed(subscription, result);
      return null;
    case "unacceptable":
      log.warn("push message not accepted", {
        subscriptionId: subscription.id,
        status: result.status,
      });
      return recordSent(db, subscription, { sentSeq: seq, isDelivered: false, leaseMs: LEASE_MS });
    case "sent":
      return recordSent(db, subscription, { sentSeq: seq, isDelivered: true, leaseMs: LEASE_MS });
  }
}

async function recordFailed(
  subscription: PushSubscriptionRow,
  { retryAfterMs }: Extract<PushResult, { outcome: "failed" }>,
): Promise<void> {
  const { endpoint, failureCount, failingSince } = subscription;
  const db = await getDb();
  if (failingSince !== null && now() - failingSince.getTime() >= REMOVE_AFTER_MS) {
    await deleteSubscriptionsAt(db, endpoint);
    return;
  }
  await recordFailure(db, subscription, computeDelay(failureCount + 1, { retryAfterMs }));
}
