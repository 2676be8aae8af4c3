import "server-only";
import { and, asc, count, desc, eq, gt, inArray, lt, lte, sql } from "drizzle-orm";
import { toTextArray } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import { IS_NEWS } from "@/lib/db/queries/notifications";
import type { FillRow, MarketRow, OrderRow } from "@/lib/db/rows";
import { accountEvents, isNotified } from "@/lib/db/schema/account-events";
import { liveWallets, wallets } from "@/lib/db/schema/accounts";
import { fills, markets, orderReplacements, orders } from "@/lib/db/schema/trading";
import type { AccountEventType } from "@/lib/domain/account-events";
import type { NotificationKind } from "@/lib/domain/notifications";

export type AccountEventRow = typeof accountEvents.$inferSelect;

/** An event with the rows that hold the fixed parts of what it is about. */
export interface JoinedEvent {
  event: AccountEventRow;
  order: OrderRow | null;
  fill: FillRow | null;
  market: MarketRow | null;
  /** The idempotency key of the order that replaces a canceled one; null for other events. */
  replacementKey: string | null;
}

export interface EventSelection {
  /** Events with a higher number. */
  after: number;
  /** The last number; the head without it. */
  until?: number | undefined;
  types?: readonly AccountEventType[] | undefined;
  limit: number;
}

/** Events of an account, from the newest back. */
export interface NewestSelection {
  /** Events with a higher number; all without it. */
  after?: number | undefined;
  /** Events with a lower number; the newest ones without it. */
  before?: number | undefined;
  types?: readonly AccountEventType[] | undefined;
  /** Only notifications of these kinds. */
  notified?: readonly NotificationKind[] | undefined;
  /** Without what the account's owner has seen as the answer to an order placed by hand. */
  isNews?: true | undefined;
  orderId?: string | undefined;
  limit: number;
}

/** Selects events of an account's log, oldest first. */
export function selectAccountEvents(
  tx: Tx,
  account: AccountRef,
  { after, until, types, limit }: EventSelection,
): Promise<JoinedEvent[]> {
  return selectJoined(tx)
    .where(
      and(
        ofAccount(accountEvents, account),
        gt(accountEvents.seq, after),
        until === undefined ? undefined : lte(accountEvents.seq, until),
        types && inArray(accountEvents.type, [...types]),
      ),
    )
    .orderBy(asc(accountEvents.seq))
    .limit(limit);
}

/** Selects events of an account's log, newest first. */
export function selectNewestEvents(
  tx: Tx,
  account: AccountRef,
  { after, before, types, notified, isNews, orderId, limit }: NewestSelection,
): Promise<JoinedEvent[]> {
  return selectJoined(tx)
    .where(
      and(
        ofAccount(accountEvents, account),
        after === undefined ? undefined : gt(accountEvents.seq, after),
        before === undefined ? undefined : lt(accountEvents.seq, before),
        types && inArray(accountEvents.type, [...types]),
        notified && isNotified(notified),
        isNews && IS_NEWS,
        orderId === undefined ? undefined : eq(accountEvents.orderId, orderId),
      ),
    )
    .orderBy(desc(accountEvents.seq))
    .limit(limit);
}

/** Selects the events of an account's log with these numbers. */
export function selectEventsAt(
  tx: Tx,
  account: AccountRef,
  seqs: readonly number[],
): Promise<JoinedEvent[]> {
  return selectJoined(tx).where(
    and(ofAccount(accountEvents, account), inArray(accountEvents.seq, [...seqs])),
  );
}

/** Selects when the newest event of an account's log was written, or null. */
export async function selectNewestTime(tx: Tx, account: AccountRef): Promise<Date | null> {
  const [row] = await tx
    .select({ createdAt: accountEvents.createdAt })
    .from(accountEvents)
    .where(ofAccount(accountEvents, account))
    .orderBy(desc(accountEvents.seq))
    .limit(1);
  return row?.createdAt ?? null;
}

const selectJoined = (tx: Tx) =>
  tx
    .select({
      event: accountEvents,
      order: orders,
      fill: fills,
      market: markets,
      replacementKey: orderReplacements.key,
    })
    .from(accountEvents)
    .leftJoin(orders, eq(orders.id, accountEvents.orderId))
    .leftJoin(
      orderReplacements,
      and(
        eq(orderReplacements.orderId, accountEvents.orderId),
        eq(accountEvents.type, "order.canceled"),
      ),
    )
    .leftJoin(fills, eq(fills.id, sql`${accountEvents.data} ->> 'fillId'`))
    .leftJoin(markets, eq(markets.id, sql`${accountEvents.data} ->> 'marketId'`));

/** Where an account's log stands. */
export interface LogHead {
  /** The current epoch; 0 in live mode. */
  epoch: number;
  /** The number of the last event. */
  lastSeq: number;
  /** The number of the last event of the epoch before; 0 in the first. */
  epochStart: number;
}

/** Returns where an account's log stands. */
export async function selectLogHead(tx: Tx, { userId, mode }: AccountRef): Promise<LogHead> {
  const epoch = mode === "live" ? sql`0` : sql`owner.epoch`;
  const [row] = await selectRows<{ epoch: number; last_seq: string; epoch_start: string }>(
    tx,
    sql`select ${epoch}::integer as epoch, coalesce((
          select version from ledger_accounts
          where id = owner.id || '/' || ${epoch} || '/usdc/available'), 0)::text as last_seq,
          coalesce((select seq from account_events where user_id = owner.id
            and mode = ${mode}::text and type = 'account.reset'
            order by seq desc limit 1), 0)::text as epoch_start
        from users as owner where owner.id = ${userId}::text`,
  );
  const { epoch: current = 0, last_seq: last = "0", epoch_start: start = "0" } = row ?? {};
  return { epoch: current, lastSeq: Number(last), epochStart: Number(start) };
}

/** Returns the numbers before and at the end of an epoch that has ended; null if there was none. */
export async function selectEndedEpoch(
  tx: Tx,
  account: AccountRef,
  epoch: number,
): Promise<{ start: number; end: number } | null> {
  const ends = await tx
    .select({ seq: accountEvents.seq, epoch: accountEvents.epoch })
    .from(accountEvents)
    .where(
      and(
        ofAccount(accountEvents, account),
        eq(accountEvents.type, "account.reset"),
        lte(accountEvents.epoch, epoch),
      ),
    )
    .orderBy(desc(accountEvents.seq))
    .limit(2);
  const [last, before] = ends;
  if (last?.epoch !== epoch) return null;
  return { start: before?.seq ?? 0, end: last.seq };
}

type WalletAddresses = { address: string; funderAddress: string };

/** Returns the addresses of an account's wallet, or of the last one that it had. */
export async function selectWalletAddresses(
  tx: Tx,
  account: AccountRef,
): Promise<WalletAddresses | null> {
  const table = account.mode === "live" ? liveWallets : wallets;
  const [row] = await tx
    .select({ address: table.address, funderAddress: table.funderAddress })
    .from(table)
    .where(eq(table.userId, account.userId));
  if (row) return row;
  const [removed] = await tx
    .select({ data: accountEvents.data })
    .from(accountEvents)
    .where(and(ofAccount(accountEvents, account), eq(accountEvents.type, "wallet.removed")))
    .orderBy(desc(accountEvents.seq))
    .limit(1);
  return (removed?.data as WalletAddresses | undefined) ?? null;
}

/** Selects numbers and types of an account's events, oldest first. */
export function selectEventTypes(
  tx: Tx,
  account: AccountRef,
  { after, limit }: { after: number; limit: number },
): Promise<{ seq: number; type: AccountEventType }[]> {
  return tx
    .select({ seq: accountEvents.seq, type: accountEvents.type })
    .from(accountEvents)
    .where(and(ofAccount(accountEvents, account), gt(accountEvents.seq, after)))
    .orderBy(asc(accountEvents.seq))
    .limit(limit);
}

/** Counts an account's events after a number. */
export async function countEvents(
  tx: Tx,
  account: AccountRef,
  { after, types }: { after: number; types: readonly AccountEventType[] | null },
): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(accountEvents)
    .where(
      and(
        ofAccount(accountEvents, account),
        gt(accountEvents.seq, after),
        types ? inArray(accountEvents.type, [...types]) : undefined,
      ),
    );
  return row?.total ?? 0;
}

/** Returns the number of the last event of each account, in their order. */
export async function selectHeads(tx: Tx, accounts: readonly AccountRef[]): Promise<number[]> {
  const rows = await selectRows<{ position: string; version: string }>(
    tx,
    sql`select wanted.position::text, account.version::text
        from unnest(${toTextArray(accounts.map(({ userId }) => userId))}::text::text[],
            ${toTextArray(accounts.map(({ mode }) => mode))}::text::text[])
          with ordinality as wanted (user_id, mode, position)
        join users as owner on owner.id = wanted.user_id
        join ledger_accounts as account on account.id = owner.id || '/'
          || case wanted.mode when 'live' then 0 else owner.epoch end || '/usdc/available'`,
  );
  const heads = accounts.map(() => 0);
  for (const { position, version } of rows) heads[Number(position) - 1] = Number(version);
  return heads;
}
