import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { takeTurns } from "@/lib/clock";
import { isIn } from "@/lib/db/batch";
import { getDb, selectRows, withTransaction } from "@/lib/db/client";
import { accountLogChecks } from "@/lib/db/schema/audit";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { verifyBooks, type VerificationReport } from "@/lib/ledger/verify-books";

/** Number of accounts that one statement folds. */
const PAGE = 50;
/** Number of accounts whose ids are read at once. */
const MAX_IDS = 10_000;
/** Maximum number of problems in a report. */
const MAX_PROBLEMS = 1_000;

/** Verifies the books, and that the log of every account gives them. */
export async function verifyBooksAndLogs(): Promise<VerificationReport> {
  const report = await verifyBooks();
  const problems = [...report.problems, ...(await verifyLogs())];
  return { ...report, ok: problems.length === 0, problems };
}

/**
 * Folds the log of every account and compares it with the books. Skips accounts that are behind: their
 * log is complete after the next snapshot, see `appendMissingSnapshots`.
 *
 * @returns the mismatches.
 */
export function verifyLogs(): Promise<string[]> {
  return verifyAccounts({ isFromCheck: false });
}

/**
 * Like `verifyLogs`, but folds only the events since the last check, of the accounts that have any.
 * If they agree, the next check starts after them. A mismatch is reported until it is fixed.
 */
export function verifyChangedLogs(): Promise<string[]> {
  return verifyAccounts({ isFromCheck: true });
}

interface Options {
  /** Starts from the state after the last check, and stores the state for the next one. */
  isFromCheck: boolean;
}

async function verifyAccounts(options: Options): Promise<string[]> {
  const problems: string[] = [];
  for (let after: string | undefined = ""; after !== undefined;) {
    const ids = await selectIds(after, options);
    for (let from = 0; from < ids.length; from += PAGE) {
      problems.push(...(await verifyPage(ids.slice(from, from + PAGE), options)));
      if (problems.length >= MAX_PROBLEMS) return problems.slice(0, MAX_PROBLEMS);
      await takeTurns();
    }
    after = ids.at(-1);
  }
  return problems;
}

/** Selects the cash rows of the next accounts in the order of their ids. */
async function selectIds(after: string, { isFromCheck }: Options): Promise<string[]> {
  const isChanged = sql`not exists (select from ${accountLogChecks} as checked
    where checked.user_id = cash.user_id and checked.mode = ${MODE} and checked.epoch = cash.epoch
      and checked.seq = cash.version)`;
  const rows = await selectRows<{ id: string }>(
    await getDb(),
    sql`select cash.id from users as owner join ledger_accounts as cash
          on cash.user_id = owner.id and cash.epoch in (${LIVE_EPOCH}::integer, owner.epoch)
        where cash.kind = 'available' and cash.asset = 'usdc' and not cash.is_behind
          and cash.id collate "C" > ${after}::text and ${isFromCheck ? isChanged : sql`true`}
        order by cash.id collate "C" limit ${MAX_IDS}::integer`,
  );
  return rows.map(({ id }) => id);
}

const MODE = sql`case cash.epoch when 0 then 'live' else 'paper' end`;
const UNSETTLED = sql.raw(UNSETTLED_STATUSES.map((status) => `'${status}'`).join(", "));

/** One statement reads an account's log and its books, so both are of the same moment. */
function verifyPage(ids: readonly string[], options: Options): Promise<string[]> {
  const storing = sql`, stored as (
      insert into ${accountLogChecks} as known (user_id, mode, seq, epoch, state)
      select user_id, mode, version, epoch, state from final
      where not exists (select from problem where problem.cash_id = final.cash_id)
      on conflict (user_id, mode) do update
        set seq = excluded.seq, epoch = excluded.epoch, state = excluded.state
        where known.seq <= excluded.seq)`;
  return withTransaction(async (tx) => {
    // The time depends on the number of events, so there is no limit.
    await selectRows(tx, sql`select set_config('statement_timeout', '0', true)`);
    const rows = await selectRows<{ text: string }>(
      tx,
      sql`with ${buildFold(ids, options)}, ${PROBLEMS}
          ${options.isFromCheck ? sql`, ${FINAL_STATE} ${storing}` : sql``}
          select text from problem order by text limit ${MAX_PROBLEMS}::integer`,
    );
    return rows.map(({ text }) => text);
  });
}

/**
 * Folds the events of the current epoch: the cash, the holdings and the orders after the last event.
 * `base` is the state that the fold starts from: the last snapshot in the log, else that of the last
 * check, else nothing.
 */
function buildFold(ids: readonly string[], { isFromCheck }: Options): SQL {
  return sql`account as materialized (
      select cash.id as cash_id, cash.user_id, cash.epoch, ${MODE} as mode, cash.version,
        cash.balance_micro as available, coalesce(reserved.balance_micro, 0) as held,
        coalesce(checked.seq, 0) as checked_seq,
        case when checked.epoch = cash.epoch then checked.state end as checked_state
      from ledger_accounts as cash
        left join ledger_accounts as reserved
          on reserved.id = cash.user_id || '/' || cash.epoch || '/usdc/held'
        left join ${accountLogChecks} as checked on ${isFromCheck}::boolean
          and checked.user_id = cash.user_id and checked.mode = ${MODE}
      where ${isIn(sql`cash.id`, ids)} and not cash.is_behind
    ), event as materialized (
      select account.cash_id, account.epoch = event.epoch as is_current, event.seq, event.type,
        event.data, event.order_id
      from account join account_events as event on event.user_id = account.user_id
        and event.mode = account.mode and event.seq > account.checked_seq
    ), base as materialized (
      select account.*, coalesce(snapshot.seq, account.checked_seq) as base_seq,
        coalesce(snapshot.data, account.checked_state) as base
      from account left join (
        select distinct on (cash_id) cash_id, seq, data from event
        where is_current and type = 'account.snapshot'
        order by cash_id, seq desc) as snapshot on snapshot.cash_id = account.cash_id
    ), newer as (
      select event.*, base.epoch from event join base on base.cash_id = event.cash_id
      where event.is_current and event.seq > base.base_seq
    ), cash as (
      select distinct on (cash_id) cash_id, data ->> 'available' as available, data ->> 'held' as held
      from (
        select cash_id, data, seq from newer where type = 'balance.changed'
        union all select cash_id, base, 0 from base where base is not null) as known
      order by cash_id, seq desc
    ), holding as (
      select distinct on (cash_id, data ->> 'tokenId') cash_id, data ->> 'tokenId' as token_id, data
      from (
        select cash_id, data, seq from newer
          where type in ('position.changed', 'position.redeemable')
        union all select cash_id, listed.data, 0
          from base cross join lateral json_array_elements(base.base -> 'positions') as listed (data)
      ) as known
      order by cash_id, data ->> 'tokenId', seq desc
    ), folded as (
      select distinct on (cash_id, order_id) cash_id, order_id, data
      from (
        select cash_id, order_id, data, seq from newer where type like 'order.%'
        union all select cash_id, listed.data ->> 'id', listed.data, 0
          from base cross join lateral json_array_elements(base.base -> 'orders') as listed (data)
      ) as known
      order by cash_id, order_id, seq desc
    )`;
}

/** Selects one row per mismatch between the fold and the books. */
const PROBLEMS = sql`problem as materialized (
      select account.cash_id, 'log of ' || account.cash_id || ' has ' || count(event.seq)
        || ' events after ' || account.checked_seq || ', the last is '
        || coalesce(max(event.seq), account.checked_seq) || ', its version is ' || account.version
        as text
      from account left join event on event.cash_id = account.cash_id
      group by account.cash_id, account.checked_seq, account.version
      having count(distinct event.seq) <> account.version - account.checked_seq
        or count(*) filter (where event.seq is not null) <> account.version - account.checked_seq
        or coalesce(max(event.seq), account.checked_seq) <> account.version
    union all
      select base.cash_id, 'log of ' || base.cash_id || ' gives ' || coalesce(cash.available, '0')
        || ' available and ' || coalesce(cash.held, '0') || ' held, the books have '
        || base.available || ' and ' || base.held
      from base left join cash on cash.cash_id = base.cash_id
      where coalesce(cash.available, '0') <> base.available::text
        or coalesce(cash.held, '0') <> base.held::text
    union all
      select cash_id, 'log of ' || cash_id || ' gives position ' || token_id || ' as '
        || coalesce(logged, 'none') || ', the books have ' || coalesce(stored, 'none')
      from (
        select coalesce(holding.cash_id, owned.cash_id) as cash_id,
          coalesce(holding.token_id, owned.token_id) as token_id,
          (holding.data ->> 'shares') || ' for ' || (holding.data ->> 'cost') || ', realized '
            || (holding.data ->> 'realizedPnl') as logged,
          owned.shares_micro || ' for ' || owned.cost_micro || ', realized '
            || owned.realized_pnl_micro as stored
        from holding full join (
          select base.cash_id, positions.* from base join positions
            on positions.user_id = base.user_id and positions.epoch = base.epoch) as owned
          on owned.cash_id = holding.cash_id and owned.token_id = holding.token_id) as compared
      where coalesce(logged, '0 for 0, realized 0') <> coalesce(stored, '0 for 0, realized 0')
    union all
      select cash_id, 'log of ' || cash_id || ' gives order ' || order_id || ' as '
        || coalesce(logged, 'none') || ', the books have ' || coalesce(stored, 'none')
      from (
        select coalesce(folded.cash_id, o.cash_id) as cash_id,
          coalesce(folded.order_id, o.id) as order_id,
          (folded.data ->> 'status') || ' filled ' || (folded.data ->> 'filledShares') || ' for '
            || (folded.data ->> 'filledNotional') || ', fee ' || (folded.data ->> 'fee') || ', at '
            || (folded.data ->> 'updatedAt') as logged,
          o.status || ' filled ' || o.filled_shares_micro || ' for ' || o.filled_notional_micro
            || ', fee ' || o.fee_micro || ', at ' || (extract(epoch from o.updated_at) * 1000)::bigint
            as stored
        from folded full join (
          select folded.cash_id, orders.* from folded join orders on orders.id = folded.order_id
          union
          select base.cash_id, orders.* from base join orders
            on orders.user_id = base.user_id and orders.epoch = base.epoch
          where orders.status in ('open', 'delayed')
          union
          select base.cash_id, orders.* from base join orders
            on orders.user_id = base.user_id and orders.epoch = base.epoch
          where orders.status = 'pending_approval'
          -- The other statuses are of live orders, and these scan the account's orders.
          union
          select base.cash_id, orders.* from base join orders
            on orders.user_id = base.user_id and orders.epoch = base.epoch
          where base.epoch = 0 and orders.status in (${UNSETTLED})) as o
          on o.cash_id = folded.cash_id and o.id = folded.order_id) as compared
      where logged is distinct from stored)`;

/** The state of each account after its last event, in the form of a snapshot. */
const FINAL_STATE = sql`final as (
      select base.*, json_build_object(
        'available', base.available::text, 'held', base.held::text,
        'positions', coalesce((select json_agg(holding.data order by token_id) from holding
          where holding.cash_id = base.cash_id), '[]'),
        'orders', coalesce((select json_agg(json_build_object('id', order_id,
            'status', data ->> 'status', 'filledShares', data ->> 'filledShares',
            'filledNotional', data ->> 'filledNotional', 'fee', data ->> 'fee',
            'updatedAt', (data ->> 'updatedAt')::bigint) order by order_id) from folded
          where folded.cash_id = base.cash_id and data ->> 'status' in (${UNSETTLED})), '[]')) as state
      from base)`;
