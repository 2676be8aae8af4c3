import "server-only";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  type EventSelection,
  type JoinedEvent,
  type LogHead,
  type NewestSelection,
  selectAccountEvents,
  selectEndedEpoch,
  selectEventsAt,
  selectHeads,
  selectLogHead,
  selectNewestEvents,
  selectWalletAddresses,
} from "@/lib/db/queries/account-events";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectMarketRows } from "@/lib/db/queries/market-row";
import { selectOrdersById } from "@/lib/db/queries/orders";
import { AppError } from "@/lib/errors";
import { type EventContext, listSnapshotIds, toAccountEvent } from "@/lib/events/event-view";
import type { AccountEvent } from "@/lib/schemas/events";

/** A range of an account's log. */
export interface LogRange {
  after: number;
  /** The last number of an epoch that has ended; undefined for the current one. */
  until?: number | undefined;
  head: LogHead;
}

/**
 * Finds the range of a log that a cursor begins.
 *
 * @param after the number of the last event that the reader has; undefined for the start of the epoch.
 * @param epoch an epoch that has ended; undefined for the current one.
 * @throws INVALID_CURSOR for a number beyond the head or of another epoch.
 */
export async function findRange(
  account: AccountRef,
  { after, epoch }: { after?: number | undefined; epoch?: number | undefined },
): Promise<LogRange> {
  const db = await getDb();
  const head = await selectLogHead(db, account);
  if (epoch !== undefined && epoch !== head.epoch) {
    const ended = await selectEndedEpoch(db, account, epoch);
    if (!ended) throw new AppError("INVALID_CURSOR", `The account has no epoch ${epoch}.`);
    if (after !== undefined && (after < ended.start || after > ended.end)) {
      throw new AppError(
        "INVALID_CURSOR",
        `Epoch ${epoch} has the events ${ended.start + 1} to ${ended.end}, so after=${after} is outside of it.`,
      );
    }
    return { after: after ?? ended.start, until: ended.end, head };
  }
  assertInEpoch(head, after);
  return { after: after || head.epochStart, head };
}

function assertInEpoch({ epoch, epochStart, lastSeq }: LogHead, after: number | undefined): void {
  if (after === undefined || after === 0) return;
  if (after > lastSeq) {
    throw new AppError(
      "INVALID_CURSOR",
      `after=${after} is beyond the account's last event, ${lastSeq}.`,
    );
  }
  if (after < epochStart) {
    throw new AppError(
      "INVALID_CURSOR",
      `after=${after} belongs to an epoch that a reset has ended with event ${epochStart}. ` +
        `Read its events with epoch=, or continue in epoch ${epoch} with after=${epochStart}.`,
    );
  }
}

/**
 * Reads events of a log in the form of the API. Each names the one given before it.
 *
 * @param sent the number of the event given before the first of them.
 */
export async function readEvents(
  tx: Tx,
  account: AccountRef,
  selection: EventSelection,
  sent = selection.after,
): Promise<AccountEvent[]> {
  const joined = await selectAccountEvents(tx, account, selection);
  if (joined.length === 0) return [];
  const context = await readContext(tx, account, joined);
  return joined.map((each, index) =>
    toAccountEvent(each, joined[index - 1]?.event.seq ?? sent, context),
  );
}

/** Reads events of a log from the newest back, in the form of the API without filters. */
export async function readNewestEvents(
  tx: Tx,
  account: AccountRef,
  selection: NewestSelection,
): Promise<AccountEvent[]> {
  return toAccountEvents(tx, account, await selectNewestEvents(tx, account, selection));
}

/** Reads the events of a log with these numbers, in the form of the API without filters. */
export async function readEventsAt(
  tx: Tx,
  account: AccountRef,
  seqs: readonly number[],
): Promise<AccountEvent[]> {
  return toAccountEvents(tx, account, await selectEventsAt(tx, account, seqs));
}

async function toAccountEvents(
  tx: Tx,
  account: AccountRef,
  joined: readonly JoinedEvent[],
): Promise<AccountEvent[]> {
  if (joined.length === 0) return [];
  const context = await readContext(tx, account, joined);
  return joined.map((each) => toAccountEvent(each, each.event.seq - 1, context));
}

/** Returns the number of an account's last event. */
export async function readHead(account: AccountRef): Promise<number> {
  const [head = 0] = await selectHeads(await getDb(), [account]);
  return head;
}

async function readContext(
  tx: Tx,
  account: AccountRef,
  joined: readonly JoinedEvent[],
): Promise<EventContext> {
  const ids = joined.map(listSnapshotIds);
  const orderIds = ids.flatMap((each) => each.orders);
  const marketIds = ids.flatMap((each) => each.markets);
  const wallet = await selectWalletAddresses(tx, account);
  const orders = orderIds.length === 0 ? [] : await selectOrdersById(tx, account, orderIds);
  const markets = marketIds.length === 0 ? [] : await selectMarketRows(tx, marketIds);
  return {
    wallet: wallet ?? { address: "", funderAddress: "" },
    orders: new Map(orders.map((order) => [order.id, order])),
    markets: new Map(markets.map((market) => [market.id, market])),
  };
}
