import "server-only";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { selectLogHead } from "@/lib/db/queries/account-events";
import type { PushSubscriptionRow } from "@/lib/db/queries/push-subscriptions";
import { addSecurityKinds, MAX_UNREAD } from "@/lib/domain/notifications";
import { writeRefusal } from "@/lib/domain/refusal-text";
import { readNewestEvents } from "@/lib/events/read-events";
import { type DescribedEvent, describeEvents } from "@/lib/notifications/describe-events";
import type { PushMessage } from "@/lib/push/send-push";
import { divide, formatCents, formatDollars, formatMicro } from "@/lib/units";

/** How many events get a message of their own; the others at the same time are summed up in one. */
const MAX_SINGLE = 5;
/** Older events are not news. */
const MAX_AGE_MS = 24 * 3_600_000;
/** Messages name shares to two decimals. */
const SHARE_STEP = 10_000n;
/** And prices to a tenth of a cent. */
const PRICE_STEP = 1_000n;

/** A message, and the number of the last event that it describes. */
export interface EventMessage {
  message: PushMessage;
  seq: number;
}

/**
 * Composes the messages of the events that were not sent to a subscription yet, oldest first.
 *
 * @returns also the last number of the log, up to which there is nothing else to send.
 */
export async function composeMessages(
  db: Tx,
  subscription: PushSubscriptionRow,
): Promise<{ messages: EventMessage[]; head: number }> {
  const { userId, mode, kinds, sentSeq } = subscription;
  const { lastSeq: head, epochStart } = await selectLogHead(db, { userId, mode });
  const newest = await readNewestEvents(db, subscription, {
    after: Math.max(sentSeq, epochStart),
    before: head + 1,
    notified: addSecurityKinds(kinds),
    isNews: true,
    limit: MAX_UNREAD,
  });
  const events = newest
    .filter(({ createdAt }) => now() - createdAt.getTime() < MAX_AGE_MS)
    .toReversed();
  // A summary of a single event would say less than the event.
  const singles = events.length === MAX_SINGLE + 1 ? events : events.slice(0, MAX_SINGLE);
  const described = await describeEvents(db, subscription, singles, null);
  const messages = described.map((each) => composeSingle(subscription, each));
  const last = events.at(-1);
  const rest = events.length - singles.length;
  if (last && rest > 0)
    messages.push(
      composeSummary(subscription, { seq: last.seq, rest, isCut: newest.length === MAX_UNREAD }),
    );
  return { messages, head };
}

const createTag = (mode: PushSubscriptionRow["mode"], seq: number) => `${mode}-${seq}`;

function composeSingle(
  { mode, showsAmounts }: PushSubscriptionRow,
  described: DescribedEvent,
): EventMessage {
  const { seq, title, text, href } = described;
  const body = [text, ...(showsAmounts ? listAmounts(described) : [])].join("\n");
  return { seq, message: { title, body, href, tag: createTag(mode, seq) } };
}

/** Lists what a message leaves out if amounts are hidden: the size, the money, and a reason with either. */
function listAmounts(described: DescribedEvent): string[] {
  const { shares, ordered, price, total, usdc, reason } = described;
  const traded = shares !== null && formatShares(shares);
  const size =
    traded &&
    (ordered?.shares ? `${traded} of ${formatShares(ordered.shares)} shares` : `${traded} shares`);
  const at = price !== null && formatCents(divide(price, PRICE_STEP, "down") * PRICE_STEP);
  const paid =
    total !== null &&
    `${total.isPaid ? "Paid" : "Received"} ${formatDollars(total.usdc, "nearest")}`;
  const lines = [
    size && at ? `${size} at ${at}` : size,
    paid,
    ordered?.usdc && `Ordered ${formatDollars(ordered.usdc, "nearest")}`,
    usdc !== null && formatDollars(usdc, "nearest"),
    reason && writeRefusal(reason, formatMinute),
  ];
  return lines.filter((line) => typeof line === "string");
}

const formatShares = (shares: bigint) =>
  formatMicro(divide(shares, SHARE_STEP, "down") * SHARE_STEP);

/** 2026-11-03 14:02 UTC: the zone of the browser isn't known. */
const formatMinute = (at: string) => `${at.slice(0, 16).replace("T", " ")} UTC`;

interface Summary {
  seq: number;
  rest: number;
  /** Whether there can be more than were read. */
  isCut: boolean;
}

function composeSummary(
  { mode }: PushSubscriptionRow,
  { seq, rest, isCut }: Summary,
): EventMessage {
  const title = `${rest}${isCut ? "+" : ""} more notifications`;
  const message = {
    title,
    body: "See all of them in Ante.",
    href: "/notifications",
    tag: createTag(mode, seq),
  };
  return { seq, message };
}
