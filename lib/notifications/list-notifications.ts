import "server-only";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectLogHead } from "@/lib/db/queries/account-events";
import { selectMarketRows } from "@/lib/db/queries/market-row";
import { selectReadSeq } from "@/lib/db/queries/notifications";
import { NOTIFIED_TYPES } from "@/lib/domain/notifications";
import { readEventsAt, readNewestEvents } from "@/lib/events/read-events";
import { describeEvent } from "@/lib/notifications/describe-event";
import type { AccountEvent } from "@/lib/schemas/events";
import type { NotificationList } from "@/lib/schemas/notifications";

/**
 * Returns the newest notifications of the account's current epoch, newest first. Nothing but its event
 * log records them.
 */
export async function listNotifications(
  account: AccountRef,
  limit: number,
): Promise<NotificationList> {
  const db = await getDb();
  const [readSeq, { epochStart: after }] = await Promise.all([
    selectReadSeq(db, account),
    selectLogHead(db, account),
  ]);
  const events = await readNewestEvents(db, account, { after, types: NOTIFIED_TYPES, limit });
  const [markets, claims] = await Promise.all([
    readMarkets(db, events),
    readClaims(db, account, events),
  ]);
  const notifications = events.map((event) => {
    const claimable = "market" in event.data ? (claims.get(event.data.market.id) ?? []) : [];
    const { seq, createdAt } = event;
    const words = describeEvent(event, { markets, claimable });
    return { seq, ...words, createdAt, isUnread: seq > readSeq };
  });
  return { notifications };
}

/** Returns the markets of the events' orders, by id. */
async function readMarkets(db: Tx, events: readonly AccountEvent[]) {
  const ids = events.flatMap(({ data }) => ("order" in data ? data.order.marketId : []));
  const rows = ids.length === 0 ? [] : await selectMarketRows(db, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** An account can hold both outcomes of a market. */
const OUTCOMES = 2;

type Position = Extract<AccountEvent["data"], { position: unknown }>["position"];

/** Returns what became claimable with each resolved market: the events that follow its own. */
async function readClaims(db: Tx, account: AccountRef, events: readonly AccountEvent[]) {
  const claims = new Map<string, Position[]>();
  const resolved = events.filter(({ type }) => type === "market.resolved");
  const seqs = resolved.flatMap(({ seq }) =>
    Array.from({ length: OUTCOMES }, (_, index) => seq + 1 + index),
  );
  if (seqs.length === 0) return claims;
  for (const { type, data } of await readEventsAt(db, account, seqs)) {
    if (type !== "position.redeemable") continue;
    const { conditionId } = data.position;
    claims.set(conditionId, [...(claims.get(conditionId) ?? []), data.position]);
  }
  return claims;
}
