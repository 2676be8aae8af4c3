import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { selectRows, withSnapshot } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { booksCheckpoint } from "@/lib/db/schema/audit";
import { applyBuy, applySell, EMPTY_HOLDING, type Holding } from "@/lib/domain/position";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { shares, usdc } from "@/lib/units";

export interface VerificationReport {
  ok: boolean;
  transfers: number;
  accounts: number;
  orders: number;
  problems: string[];
}

/** The position up to which an earlier check has summed the books: see `books-checkpoint.ts`. */
export interface Checkpoint {
  transferSequence: bigint;
  fillSequence: bigint;
  eventId: bigint;
  transfers: bigint;
}

/** Maximum number of problems in a report. */
const MAX_PROBLEMS = 1_000;

/**
 * Recomputes all balances, holds, orders, positions and markets from the transfers and fills, and
 * reports mismatches with the stored values. The database sums, so memory does not grow with the fills.
 */
export function verifyBooks(): Promise<VerificationReport> {
  return withSnapshot((tx) => verify(tx, null));
}

/**
 * Like `verifyBooks`, but starts from the sums at the checkpoint. Compares all balances and positions,
 * and the orders and markets that changed since. Does not check idempotency keys.
 */
export function verifyFromCheckpoint(): Promise<
  VerificationReport & { checkpoint: Checkpoint | null }
> {
  return withSnapshot(async (tx) => {
    const checkpoint = await readCheckpoint(tx);
    return { ...(await verify(tx, checkpoint)), checkpoint };
  });
}

/** Returns null before the first check. */
export async function readCheckpoint(tx: Tx): Promise<Checkpoint | null> {
  const [row] = await tx.select().from(booksCheckpoint);
  return row ?? null;
}

async function verify(tx: Tx, since: Checkpoint | null): Promise<VerificationReport> {
  // The time depends on the size of the books, so there is no limit.
  await selectRows(tx, sql`select set_config('statement_timeout', '0', true)`);
  const problems: string[] = [];
  for (const check of since ? buildChecks(since) : [...buildChecks(null), ...KEY_CHECKS]) {
    const rows = await selectRows<{ problem: string }>(
      tx,
      sql`select problem from (${check}) as found limit ${MAX_PROBLEMS}::integer`,
    );
    problems.push(...rows.map((row) => row.problem));
  }
  problems.push(...(await verifyPositions(tx, since)));
  const [counts] = await selectRows<Record<"transfers" | "accounts" | "orders", string>>(
    tx,
    sql`select (select count(*) from ledger_transfers where ${isNew("sequence", since?.transferSequence)}) as transfers,
            (select count(*) from ledger_accounts) as accounts,
            (select count(*) from orders) as orders`,
  );
  return {
    ok: problems.length === 0,
    transfers: Number(counts?.transfers ?? 0) + Number(since?.transfers ?? 0),
    accounts: Number(counts?.accounts ?? 0),
    orders: Number(counts?.orders ?? 0),
    problems,
  };
}

/** Returns the condition for rows after a checkpoint; true without a checkpoint. */
function isNew(column: string, after: bigint | undefined): SQL {
  return after === undefined ? sql`true` : sql.raw(`${column} > ${after}`);
}

/** Fills that count. A fill whose settlement failed on chain was reversed and does not count. */
const SETTLED_FILLS = sql`(select f.* from fills f where not exists (
  select 1 from fill_settlements s where s.fill_id = f.id and s.status = 'failed'))`;

/** Maximum makers of one trade, which bounds the rounding difference in micro-USDC. */
const MOST_MAKERS = 100;

/** Each statement selects one row per mismatch. */
function buildChecks(since: Checkpoint | null): SQL[] {
  const newTransfers = isNew("sequence", since?.transferSequence);
  const newFills = isNew("f.sequence", since?.fillSequence);
  /** Orders that changed: every change writes an event. */
  const changed = since
    ? sql`(select orders.* from orders where id in (
        select order_id from order_events where ${isNew("id", since.eventId)}))`
    : sql`orders`;
  const holding = since
    ? sql`(select * from orders where status in ('open', 'delayed')
        union all select * from orders where status = 'pending_approval'
        union all select orders.* from remote_orders r join orders on orders.id = r.order_id
        where orders.status not in ('open', 'delayed') and orders.held_micro <> 0)`
    : sql`orders`;
  return [
    sql`with moved as (
        select account, sum(amount)::bigint as amount from (
          ${since ? sql`select account_id as account, balance_micro as amount from books_checkpoint_balances union all` : sql``}
          select credit_account as account, amount_micro as amount from ledger_transfers
            where ${newTransfers}
          union all select debit_account, -amount_micro from ledger_transfers where ${newTransfers}) changes
        group by account)
      select 'account ' || coalesce(a.id, m.account) || ' has ' || coalesce(a.balance_micro, 0)
        || ', its transfers add up to ' || coalesce(m.amount, 0) as problem
      from ledger_accounts a full join moved m on m.account = a.id
      where coalesce(a.balance_micro, 0) <> coalesce(m.amount, 0) or a.id is null`,
    sql`select 'account ' || id || ' is negative: ' || balance_micro as problem
      from ledger_accounts where balance_micro < 0 and kind not in ('external', 'house', 'issuance')`,
    sql`select 'asset ' || asset || ' does not add up: ' || sum(balance_micro) as problem
      from ledger_accounts group by asset having sum(balance_micro) <> 0`,
    sql`with expected as (
        select user_id, epoch, case action when 'BUY' then 'usdc' else token_id end as asset,
          sum(held_micro)::bigint as held
        from ${holding} as held_orders group by 1, 2, 3)
      select 'held ' || a.asset || ' of ' || a.user_id || ' is ' || a.balance_micro
        || ', live orders hold ' || coalesce(e.held, 0) as problem
      from ledger_accounts a left join expected e
        on e.user_id = a.user_id and e.epoch = a.epoch and e.asset = a.asset
      where a.kind = 'held' and a.balance_micro <> coalesce(e.held, 0)`,
    sql`select 'order ' || id || ' is ' || status || ' and still holds ' || held_micro as problem
      from ${changed} as o where status not in
          ('open', 'delayed', 'pending', 'pending_approval', 'submitting', 'unknown')
        and held_micro <> 0`,
    sql`with filled as (
        select order_id, sum(shares_micro)::bigint as shares, sum(notional_micro)::bigint as notional,
          sum(fee_micro)::bigint as fee from ${SETTLED_FILLS} as settled_fills
        ${since ? sql`where order_id in (select id from ${changed} as o)` : sql``} group by order_id)
      select 'order ' || o.id || ' shows ' || o.filled_shares_micro || ' filled, its fills add up to '
        || coalesce(m.shares, 0) as problem
      from ${changed} as o left join filled m on m.order_id = o.id
      where o.filled_shares_micro <> coalesce(m.shares, 0)
        or o.filled_notional_micro <> coalesce(m.notional, 0) or o.fee_micro <> coalesce(m.fee, 0)`,
    sql`select 'fill ' || f.id || ' is worse than the limit of its order' as problem
      from fills f join orders o on o.id = f.order_id
      where ${newFills} and o.price_micro is not null
        and ((f.action = 'BUY' and f.price_micro > o.price_micro)
          or (f.action = 'SELL' and f.price_micro < o.price_micro))`,
    // The exchange cuts the cash of each maker to the micro-unit, so sums can differ by that many.
    sql`select 'fill ' || f.id || ' moved ' || f.notional_micro || ', its makers at the venue add up to '
        || s.venue_notional_micro as problem
      from fills f join fill_settlements s on s.fill_id = f.id
      where abs(f.notional_micro - s.venue_notional_micro) > ${MOST_MAKERS}::bigint`,
    sql`with filled as (
        select order_id, sum(shares_micro)::bigint as shares from fills
        ${since ? sql`where order_id in (select id from ${changed} as o)` : sql``} group by order_id)
      select 'order ' || o.id || ' has fills of ' || coalesce(m.shares, 0) || ', the venue matched '
        || r.venue_matched_micro as problem
      from remote_orders r join ${changed} as o on o.id = r.order_id left join filled m on m.order_id = o.id
      where o.status in ('filled', 'canceled', 'expired')
        and coalesce(m.shares, 0) < r.venue_matched_micro`,
    // Collateral is 1 USDC per pair of shares. After the first payout, it is 1 USDC per remaining
    // winning share, or 0.50 USDC per remaining share if no outcome won.
    sql`with outstanding as (
        select m.id, coalesce(c.balance_micro, 0) as locked, -coalesce(f.balance_micro, 0) as first,
          -coalesce(s.balance_micro, 0) as second,
          exists (select 1 from ledger_transfers t where t.kind = 'redeem' and t.credit_account
            in ('issuance/token/' || m.first_token, 'issuance/token/' || m.second_token)) as is_paid
        from ${since ? sql`(select * from markets where id in (select market_id from ledger_transfers where ${newTransfers}))` : sql`markets`} m
        left join ledger_accounts c on c.id = 'collateral/' || m.id || '/usdc'
        left join ledger_accounts f on f.id = 'issuance/token/' || m.first_token
        left join ledger_accounts s on s.id = 'issuance/token/' || m.second_token)
      select 'market ' || id || ' has ' || locked || ' locked for ' || first || ' and ' || second
        || ' shares' as problem
      from outstanding
      where case when is_paid then locked not in (first, second) and 2 * locked <> first + second
        else locked <> first or locked <> second end`,
    sql`with owned as (
        select user_id, epoch, asset, sum(balance_micro)::bigint as shares
        from ledger_accounts
        where kind in ('available', 'held') and asset <> 'usdc' and epoch <> ${LIVE_EPOCH}
        group by 1, 2, 3)
      select 'position ' || coalesce(p.token_id, o.asset) || ' of ' || coalesce(p.user_id, o.user_id)
        || ' shows ' || coalesce(p.shares_micro, 0) || ', the ledger ' || coalesce(o.shares, 0) as problem
      from (select * from positions where epoch <> ${LIVE_EPOCH}) p full join owned o
        on o.user_id = p.user_id and o.epoch = p.epoch and o.asset = p.token_id
      where coalesce(p.shares_micro, 0) <> coalesce(o.shares, 0)`,
    // The levels of the displayed books, compared with the open orders.
    sql`with resting as (
        select market_id, book_side as side, book_price_micro as price_micro,
          sum(shares_micro - filled_shares_micro)::bigint as shares
        from orders where status in ('open', 'delayed') and status = 'open'
          and epoch <> ${LIVE_EPOCH} and book_price_micro is not null
        group by 1, 2, 3)
      select 'book of ' || coalesce(l.market_id, r.market_id) || ' shows '
        || coalesce(l.shares_micro, 0) || ' at ' || coalesce(l.price_micro, r.price_micro)
        || ', its orders add up to ' || coalesce(r.shares, 0) as problem
      from book_levels l full join resting r on r.market_id = l.market_id and r.side = l.side
        and r.price_micro = l.price_micro
      where coalesce(l.shares_micro, 0) <> coalesce(r.shares, 0)`,
  ];
}

const KEY_CHECKS: readonly SQL[] = [
  sql`select 'order ' || o.id || ' belongs to no idempotency key' as problem
      from orders o where o.origin <> 'external' and not exists (
        select 1 from idempotency_keys k where k.order_id = o.id and k.user_id = o.user_id)`,
  // A market order that is open at a remote venue has no response until it ends.
  sql`select 'idempotency key of order ' || k.order_id || ' has no ' ||
        case when k.body is null then 'answer' else 'order' end as problem
      from idempotency_keys k left join orders o on o.id = k.order_id
      where o.id is null
        or (k.body is null and o.status not in ('pending', 'submitting', 'unknown')
          and not (o.type = 'market' and o.status = 'open'))`,
];

/** A fill, split, merge or payout of a holding, with the stored holding and the one at the checkpoint. */
export interface Movement {
  holding: string;
  action: "BUY" | "SELL";
  shares: string;
  notional: string;
  stored: [cost: string, realized: string] | null;
  start: [shares: string, cost: string, realized: string] | null;
}

interface Replayed {
  holding: string;
  /** Null if more shares were sold than held. */
  replayed: Holding | null;
  stored: Movement["stored"];
}

/** Number of rows per fetch. */
const PAGE = 5_000;

const LAST = 2n ** 63n - 1n;

/**
 * Selects the fills, splits, merges and payouts of paper holdings after one checkpoint, up to another
 * one. Fills, splits and merges are numbered together.
 */
export const selectMovements = (since: Checkpoint | null, until?: Checkpoint): SQL =>
  sql.raw(`
  select user_id, epoch, token_id, action, shares_micro, notional_micro, 0 as step, sequence
  from fills where epoch <> ${LIVE_EPOCH} and sequence > ${since?.fillSequence ?? 0n}
    and sequence <= ${until?.fillSequence ?? LAST}
  union all
  select user_id, epoch, token_id, action, shares_micro, notional_micro, 0, sequence
  from split_movements where sequence > ${since?.fillSequence ?? 0n}
    and sequence <= ${until?.fillSequence ?? LAST}
  union all
  select a.user_id, a.epoch, a.asset, 'SELL', t.amount_micro, coalesce(c.amount_micro, 0), 1, t.sequence
  from ledger_transfers t join ledger_accounts a on a.id = t.debit_account
    left join ledger_transfers c on c.id = t.group_id || ':cash'
  where t.kind = 'redeem' and a.kind = 'available' and a.asset <> 'usdc'
    and a.epoch <> ${LIVE_EPOCH} and t.sequence > ${since?.transferSequence ?? 0n}
    and t.sequence <= ${until?.transferSequence ?? LAST}`);

/**
 * Replays fills, splits, merges and payouts per holding and compares cost and realized profit with the stored positions.
 * Covers paper accounts only: live holdings are known only to the venue.
 */
async function verifyPositions(tx: Tx, since: Checkpoint | null): Promise<string[]> {
  const movements = selectMovements(since);
  const start = since
    ? sql`case when h.token_id is not null then json_build_array(h.shares_micro::text,
        h.cost_micro::text, h.realized_pnl_micro::text) end`
    : sql`null::json`;
  const joinCheckpoint = since
    ? sql`left join books_checkpoint_holdings h
        on h.user_id = m.user_id and h.epoch = m.epoch and h.token_id = m.token_id`
    : sql``;
  await tx.execute(sql`declare replayed_movements no scroll cursor for
    select m.user_id || '/' || m.epoch || '/' || m.token_id as holding, m.action,
      m.shares_micro::text as shares, m.notional_micro::text as notional, ${start} as start,
      case when p.token_id is not null
        then json_build_array(p.cost_micro::text, p.realized_pnl_micro::text) end as stored
    from (${movements}) as m
      left join positions p
        on p.user_id = m.user_id and p.epoch = m.epoch and p.token_id = m.token_id
      ${joinCheckpoint}
    order by m.user_id, m.epoch, m.token_id, m.step, m.sequence`);
  const mismatches: string[] = [];
  let current = null as Replayed | null;
  const finish = () => {
    if (!current || mismatches.length >= MAX_PROBLEMS) return;
    const [cost, realized] = current.stored ?? ["0", "0"];
    const { holding, replayed } = current;
    // The check of shares reports a missing position.
    if (current.stored === null && replayed !== null) return;
    if (replayed?.cost !== BigInt(cost) || replayed.realizedPnl !== BigInt(realized))
      mismatches.push(holding);
  };
  for (;;) {
    const page = await selectRows<Movement>(tx, sql.raw(`fetch ${PAGE} from replayed_movements`));
    for (const movement of page) {
      if (current?.holding !== movement.holding) {
        finish();
        const { holding, stored, start: initial } = movement;
        current = { holding, stored, replayed: initial ? toHolding(initial) : EMPTY_HOLDING };
      }
      current.replayed = applyMovement(current.replayed, movement);
    }
    if (page.length < PAGE) break;
  }
  finish();
  await tx.execute(sql`close replayed_movements`);
  const withoutMovements = await selectRows<{ holding: string }>(
    tx,
    sql`
    select p.user_id || '/' || p.epoch || '/' || p.token_id as holding
    from positions p ${
      since
        ? sql`left join books_checkpoint_holdings h
            on h.user_id = p.user_id and h.epoch = p.epoch and h.token_id = p.token_id`
        : sql``
    }
    where p.epoch <> ${LIVE_EPOCH}
      and (p.cost_micro <> ${since ? sql`coalesce(h.cost_micro, 0)` : sql`0`}
        or p.realized_pnl_micro <> ${since ? sql`coalesce(h.realized_pnl_micro, 0)` : sql`0`})
      and not exists (select from (${movements}) as m
        where m.user_id = p.user_id and m.epoch = p.epoch and m.token_id = p.token_id)
    limit ${MAX_PROBLEMS}::integer`,
  );
  return [...mismatches, ...withoutMovements.map(({ holding }) => holding)].map(
    (holding) => `position ${holding} does not follow from its fills`,
  );
}

/** Applies a movement to a holding; returns null if more shares are sold than held. */
export function applyMovement(
  holding: Holding | null,
  { action, shares: size, notional }: Pick<Movement, "action" | "shares" | "notional">,
): Holding | null {
  const moved = shares(BigInt(size));
  if (holding === null || (action === "SELL" && moved > holding.shares)) return null;
  const apply = action === "BUY" ? applyBuy : applySell;
  return apply(holding, moved, usdc(BigInt(notional)));
}

/** Converts a holding from its JSON tuple. */
export const toHolding = ([size, cost, realized]: NonNullable<Movement["start"]>): Holding => ({
  shares: shares(BigInt(size)),
  cost: usdc(BigInt(cost)),
  realizedPnl: usdc(BigInt(realized)),
});
