import "server-only";
import { ECDH } from "node:crypto";
import { assertNotShared } from "@/lib/auth/demo-file";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { openAuth, sealAuth } from "@/lib/custody/push-secret";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectLogHead } from "@/lib/db/queries/account-events";
import { lockUser } from "@/lib/db/queries/live-wallets";
import {
  countSubscriptions,
  deleteReplaced,
  deleteSubscription,
  deleteSubscriptionsAt,
  insertSubscription,
  selectSubscription,
  selectSubscriptions,
  updateSubscription,
} from "@/lib/db/queries/push-subscriptions";
import { lockActiveSession } from "@/lib/db/queries/sessions";
import { addSecurityKinds, ALL_KINDS } from "@/lib/domain/notifications";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { type PushResult, sendPush } from "@/lib/push/send-push";
import { BrowserSubscription, type PushChoices } from "@/lib/schemas/push";
import { checkWebhookUrl } from "@/lib/webhooks/check-address";

/** The most browsers of a user, over both accounts. */
const MAX_SUBSCRIPTIONS = 10;

/** A browser that gets push notifications of an account. */
export interface PushBrowser extends PushChoices {
  id: string;
  userAgent: string;
  /** Whether it is the browser of the session that asks. */
  isCurrent: boolean;
  createdAt: Date;
  lastSentAt: Date | null;
}

/** Returns the browsers that get push notifications of the session's account, oldest first. */
export async function listPushBrowsers({
  id: sessionId,
  principal,
}: Session): Promise<PushBrowser[]> {
  const rows = await selectSubscriptions(await getDb(), principal);
  return rows.map(({ subscription, userAgent }) => ({
    id: subscription.id,
    userAgent,
    isCurrent: subscription.sessionId === sessionId,
    kinds: subscription.kinds,
    showsAmounts: subscription.showsAmounts,
    createdAt: subscription.createdAt,
    lastSentAt: subscription.lastSentAt,
  }));
}

/**
 * Turns push notifications on for the session's browser and account: everything from now on. Replaces
 * its earlier subscription, and takes over a browser that another user left on.
 */
export async function turnOnPush(
  session: Session,
  given: Record<keyof BrowserSubscription, string>,
  { showsAmounts }: Pick<PushChoices, "showsAmounts">,
): Promise<void> {
  const { userId, mode } = session.principal;
  await assertNotShared(userId);
  const { endpoint, publicKey, auth } = parseSubscription(given);
  const id = newId("psh");
  const sealedAuth = await sealAuth({ userId, id }, auth);
  await withTransaction(async (tx) => {
    // Two requests at once can't both take the last place.
    await lockUser(tx, userId);
    if (!(await lockActiveSession(tx, userId, session.id))) {
      throw new AppError("SESSION_ENDED", "Your session has ended. Sign in again.");
    }
    await deleteReplaced(tx, session.principal, { sessionId: session.id, endpoint });
    if ((await countSubscriptions(tx, userId)) >= MAX_SUBSCRIPTIONS) throw tooMany();
    const { lastSeq } = await selectLogHead(tx, { userId, mode });
    await insertSubscription(tx, {
      id,
      userId,
      mode,
      sessionId: session.id,
      endpoint,
      publicKey,
      sealedAuth,
      kinds: [...ALL_KINDS],
      showsAmounts,
      sentSeq: lastSeq,
      createdAt: new Date(now()),
    });
    const event = { userId, kind: "push_turned_on", sessionId: session.id } as const;
    await recordSecurityEvent(tx, { ...event, detail: { mode } });
  });
}

const tooMany = () =>
  new AppError(
    "VALIDATION_ERROR",
    `At most ${MAX_SUBSCRIPTIONS} browsers can get notifications. Remove one first.`,
  );

/** Parses what a browser gives of its subscription. Throws VALIDATION_ERROR. */
function parseSubscription(given: Record<keyof BrowserSubscription, string>): BrowserSubscription {
  const parsed = BrowserSubscription.safeParse(given);
  if (!parsed.success || !isPoint(parsed.data.publicKey)) {
    throw new AppError("VALIDATION_ERROR", "This browser's push subscription isn't valid.");
  }
  checkWebhookUrl(parsed.data.endpoint, env().WEBHOOK_ALLOW_PRIVATE);
  return parsed.data;
}

function isPoint(publicKey: string): boolean {
  try {
    ECDH.convertKey(publicKey, "prime256v1", "base64url");
    return true;
  } catch {
    return false;
  }
}

/** Changes which notifications a browser of the account gets, besides those about its security. Returns false if it gets none at all. */
export async function changePush(
  { principal }: Session,
  id: string,
  choices: PushChoices,
): Promise<boolean> {
  const kinds = addSecurityKinds(choices.kinds);
  return updateSubscription(await getDb(), principal, id, { ...choices, kinds });
}

/** Turns push notifications of the account off for a browser. Does nothing if they are off. */
export async function turnOffPush(session: Session, id: string): Promise<void> {
  const { userId, mode } = session.principal;
  await withTransaction(async (tx) => {
    if (!(await deleteSubscription(tx, session.principal, id))) return;
    const event = { userId, kind: "push_turned_off", sessionId: session.id } as const;
    await recordSecurityEvent(tx, { ...event, detail: { mode } });
  });
}

/** Sends a test message to a browser of the account. Removes the browser if it is gone. */
export async function sendTestPush(
  { principal }: Session,
  id: string,
): Promise<PushResult["outcome"]> {
  const db = await getDb();
  const subscription = await selectSubscription(db, principal, id);
  if (!subscription) return "gone";
  const { endpoint, publicKey } = subscription;
  const target = { endpoint, publicKey, auth: await openAuth(subscription) };
  const { outcome } = await sendPush(target, TEST_MESSAGE);
  if (outcome === "gone") await deleteSubscriptionsAt(db, endpoint);
  return outcome;
}

const TEST_MESSAGE = {
  title: "Test notification",
  body: "Notifications work in this browser.",
  href: "/settings?section=notifications",
  tag: "test",
};
