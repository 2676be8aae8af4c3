import "server-only";
import { listKeyNames } from "@/lib/auth/list-keys";
import type { Tx } from "@/lib/db/database";
import { selectEventsAt } from "@/lib/db/queries/account-events";
import type { AccountRef } from "@/lib/db/queries/mode";
import type { OrderState } from "@/lib/db/schema/account-events";
import { getNotificationKind } from "@/lib/domain/notifications";
import { readEventMarkets } from "@/lib/events/read-event-markets";
import { readEventsAt } from "@/lib/events/read-events";
import { readRedemptions } from "@/lib/ledger/account-history";
import type { Owner } from "@/lib/ledger/accounts";
import { describeEvent, hasTraded } from "@/lib/notifications/describe-event";
import type { AccountEvent } from "@/lib/schemas/events";
import type { Notification } from "@/lib/schemas/notifications";
import { type Usdc, usdc } from "@/lib/units";

/** A notification without whether it was read. */
export type DescribedEvent = Omit<Notification, "isUnread">;

/**
 * Describes events of notified types, in their order, with what else the database has about them.
 *
 * @param epoch the account's epoch, if the words should say what was claimed since; null for the words at the
 * events.
 */
export async function describeEvents(
  db: Tx,
  account: AccountRef,
  events: readonly AccountEvent[],
  epoch: number | null,
): Promise<DescribedEvent[]> {
  const [markets, keyNames, notionals, claims] = await Promise.all([
    readEventMarkets(db, events),
    readKeyNames(account, events),
    readNotionals(db, account, events),
    readClaims(db, account, events),
  ]);
  const tokenIds = [...claims.values()].flat().map(({ id }) => id);
  const paid = epoch === null ? NOTHING_PAID : await readPaid(db, { ...account, epoch }, tokenIds);
  return events.map((event) => {
    const claimable = "market" in event.data ? (claims.get(event.data.market.id) ?? []) : [];
    const { seq, createdAt } = event;
    const filledNotional = notionals.get(seq) ?? null;
    const context = { markets, keyNames, filledNotional, claimable, paid };
    const kind = getNotificationKind(event.type, hasTraded(event));
    return { seq, kind, ...describeEvent(event, context), createdAt };
  });
}

/** Returns the names of the account's keys, if an event is about one. */
async function readKeyNames({ userId, mode }: AccountRef, events: readonly AccountEvent[]) {
  const isOfKey = events.some(({ data }) => "keyId" in data && data.keyId !== null);
  return isOfKey ? listKeyNames(userId, mode) : new Map<string, string>();
}

/** Returns the value of the fills at each event of an order, which its form in the API rounds to a price. */
async function readNotionals(db: Tx, account: AccountRef, events: readonly AccountEvent[]) {
  const seqs = events.flatMap(({ seq, data }) => ("order" in data ? seq : []));
  const stored = seqs.length === 0 ? [] : await selectEventsAt(db, account, seqs);
  return new Map(
    stored.map(({ event: { seq, data } }) => {
      const { filledNotional } = data as OrderState;
      return [seq, usdc(BigInt(filledNotional))];
    }),
  );
}

const NOTHING_PAID: ReadonlyMap<string, Usdc> = new Map();

/** Returns what was paid for the positions that were claimed, by token. */
async function readPaid(db: Tx, owner: Owner, tokenIds: readonly string[]) {
  const redemptions = await readRedemptions(db, owner, tokenIds);
  return new Map([...redemptions].map(([tokenId, { payout }]) => [tokenId, payout]));
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
