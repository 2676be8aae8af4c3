import "server-only";
import { sql } from "drizzle-orm";
import { now } from "@/lib/clock";
import { isIn } from "@/lib/db/batch";
import type { Database, Tx } from "@/lib/db/database";
import { isLockTimeout, isTransient } from "@/lib/db/errors";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { log } from "@/lib/log";

/** Number of accounts that one transaction locks. */
const PAGE = 100;
const MAX_ATTEMPTS = 20;

/** An account that is behind, by its cash rows. */
interface BehindAccount {
  available_id: string;
  held_id: string;
}

/** Creates the missing cash rows of accounts from before the log: without money, or in live mode. */
export async function createMissingCash({ db }: Database): Promise<void> {
  await retry(() =>
    db.execute(sql`
      insert into ledger_accounts (id, kind, asset, user_id, epoch, balance_micro, is_behind)
      select owner.id || '/' || owner.epoch || '/usdc/available', 'available', 'usdc', owner.id,
        owner.epoch, 0, true
      from (select id, epoch from users union all select user_id, 0 from live_wallets) as owner
      where not exists (select from ledger_accounts as cash
        where cash.id = owner.id || '/' || owner.epoch || '/usdc/available')
      order by 1
      on conflict do nothing`),
  );
}

/**
 * Appends a snapshot to the log of every account whose log does not hold all of its changes: accounts
 * from before the log, and those that a process of the version before has changed. Its triggers mark
 * them, see the migrations. Several processes can do this at once, beside any writer.
 *
 * @returns the number of snapshots.
 */
export async function appendMissingSnapshots(database: Database): Promise<number> {
  let appended = 0;
  for (let after = ""; ;) {
    const page = await selectBehind(database.db, after);
    const last = page.at(-1);
    if (!last) break;
    appended += await retry(() => database.transaction((tx) => appendSnapshots(tx, page)));
    after = last.available_id;
  }
  if (appended > 0) log.info("account snapshots added", { count: appended });
  return appended;
}

/** Repeats a transaction after a deadlock or a wait for a lock that took too long. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !(isTransient(error) || isLockTimeout(error))) throw error;
    }
  }
}

async function selectBehind(db: Tx, after: string): Promise<BehindAccount[]> {
  const result = (await db.execute(sql`
    select cash.id as available_id, cash.user_id || '/' || cash.epoch || '/usdc/held' as held_id
    from ledger_accounts as cash join users as owner on owner.id = cash.user_id
    where cash.is_behind and cash.kind = 'available' and cash.asset = 'usdc'
      and cash.epoch in (0, owner.epoch) and cash.id collate "C" > ${after}::text
    order by cash.id collate "C" limit ${PAGE}::integer`)) as unknown as { rows: BehindAccount[] };
  return result.rows;
}

/** Every change of an account locks its cash row, so the accounts stand still until the commit. */
async function appendSnapshots(tx: Tx, page: readonly BehindAccount[]): Promise<number> {
  const ids = page.map((account) => account.available_id);
  const heldIds = page.map((account) => account.held_id);
  // Byte order, as in `lockAccounts`.
  await tx.execute(sql`select from ledger_accounts where ${isIn(sql`id`, [...ids, ...heldIds])}
    order by id collate "C" for update`);
  await tx.execute(sql`
    insert into ledger_accounts (id, kind, asset, user_id, epoch, balance_micro, is_behind)
    select user_id || '/' || epoch || '/usdc/held', 'held', 'usdc', user_id, epoch, 0, false
    from ledger_accounts where ${isIn(sql`id`, ids)}
    order by id collate "C"
    on conflict do nothing`);
  // A statement of its own, because its view of the database must begin after the locks.
  const result = (await tx.execute(sql`
    with account as (
      select cash.id, cash.user_id, cash.epoch, cash.version, cash.balance_micro as available,
        reserved.balance_micro as held, case cash.epoch when 0 then 'live' else 'paper' end as mode
      from ledger_accounts as cash
        join users as owner on owner.id = cash.user_id and cash.epoch in (0, owner.epoch)
        join ledger_accounts as reserved
          on reserved.id = cash.user_id || '/' || cash.epoch || '/usdc/held'
      where ${isIn(sql`cash.id`, ids)} and cash.is_behind
    ), draft as (
      -- A process of the version before has reset the account, which the log does not say yet.
      select account.*, 1 as position, last.epoch as event_epoch, 'account.reset' as type,
        json_build_object('nextEpoch', account.epoch) as data
      from account join account_events as last
        on last.user_id = account.user_id and last.mode = account.mode and last.seq = account.version
      where last.epoch < account.epoch and last.type <> 'account.reset'
      union all
      select account.*, 2, account.epoch, 'account.snapshot', json_build_object(
        'available', account.available::text, 'held', account.held::text,
        'positions', holdings.list, 'orders', unsettled.list)
      from account
        cross join lateral (
          select coalesce(json_agg(json_build_object('tokenId', token_id, 'marketId', market_id,
            'shares', shares_micro::text, 'cost', cost_micro::text,
            'realizedPnl', realized_pnl_micro::text) order by token_id), '[]') as list
          from positions
          where positions.user_id = account.user_id and positions.epoch = account.epoch
            and (shares_micro <> 0 or cost_micro <> 0 or realized_pnl_micro <> 0)) as holdings
        cross join lateral (
          select coalesce(json_agg(json_build_object('id', id, 'status', status,
            'filledShares', filled_shares_micro::text, 'filledNotional', filled_notional_micro::text,
            'fee', fee_micro::text,
            'updatedAt', (extract(epoch from updated_at) * 1000)::bigint) order by id), '[]') as list
          from orders
          where orders.user_id = account.user_id and orders.epoch = account.epoch
            and status in (${sql.join(
              UNSETTLED_STATUSES.map((status) => sql.raw(`'${status}'`)),
              sql.raw(", "),
            )})) as unsettled
    ), appended as (
      insert into account_events (user_id, mode, seq, epoch, type, data, created_at)
      select user_id, mode, version + row_number() over (partition by id order by position),
        event_epoch, type, data, ${new Date(now()).toISOString()}::text::timestamptz
      from draft
    ), counted as (
      update ledger_accounts set version = ledger_accounts.version + added.events, is_behind = false
      from (select id, count(*) as events from draft group by id) as added
      where ledger_accounts.id = added.id
      returning ledger_accounts.id
    )
    select count(*)::integer as appended from counted`)) as unknown as {
    rows: { appended: number }[];
  };
  return result.rows[0]?.appended ?? 0;
}
