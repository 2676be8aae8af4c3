import "server-only";
import type { Tx } from "@/lib/db/database";
import { selectMarketRows } from "@/lib/db/queries/market-row";
import type { AccountRef } from "@/lib/db/queries/mode";
import { readEventsAt } from "@/lib/events/read-events";
import { describeEvent } from "@/lib/notifications/describe-event";
import type { AccountEvent } from "@/lib/schemas/events";
import type { Notification } from "@/lib/schemas/notifications";

/** A notification without whether it was read. */
export type DescribedEvent = Omit<Notification, "isUnread">;

/** Describes events of notified types, in their order, with what else the database has about them. */
export async function describeEvents(
  db: Tx,
  account: AccountRef,
  events: readonly AccountEvent[],
): Promise<DescribedEvent[]> {
  const [markets, claims] = await Promise.all([
    readMarkets(db, events),
    readClaims(db, account, events),
  ]);
  return events.map((event) => {
    const claimable = "market" in event.data ? (claims.get(event.data.market.id) ?? []) : [];
    const { seq, createdAt } = event;
    return { seq, ...describeEvent(event, { markets, claimable }), createdAt };
  });
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
