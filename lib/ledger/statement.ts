import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { toJsonRows } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { available, held, type Owner, USDC } from "@/lib/ledger/accounts";
import { type Price, price, type Shares, shares, type Usdc, usdc } from "@/lib/units";

type StatementKindName = "deposit" | "buy" | "sell" | "claim" | "split" | "merge";

export interface StatementFilter {
  /** A kind of entry, or all entries with a fee. */
  type?: StatementKindName | "fee" | undefined;
  /** Part of a market's title. */
  text?: string | undefined;
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
}

/** A cash event with the sum of its transfers, and the cash balance after it. */
export interface StatementEntry {
  groupId: string;
  sequence: bigint;
  kind: StatementKindName;
  amount: Usdc;
  fee: Usdc;
  balance: Usdc;
  market: { title: string; slug: string; icon: string; outcome: string; tick: Price } | null;
  orderId: string | null;
  /** Traded, redeemed, split or merged shares; null for a deposit. */
  shares: Shares | null;
  /** Null without a trade. */
  price: Price | null;
  createdAt: Date;
}

/** Amounts and times are selected as text, which all drivers decode alike. */
interface Row {
  group_id: string;
  sequence: string;
  kind: StatementKindName;
  amount: string;
  fee: string;
  balance: string;
  at_ms: string;
  title: string | null;
  slug: string | null;
  icon: string | null;
  outcome: string | null;
  tick: string | null;
  order_id: string | null;
  shares: string | null;
  price: string | null;
}

/** Reads the newest matching entries before a sequence. Balances include entries that don't match. */
export async function readStatement(
  tx: Tx,
  owner: Owner,
  filter: StatementFilter,
  page: { before: bigint | null; limit: number },
): Promise<StatementEntry[]> {
  const conditions = buildConditions(filter);
  if (page.before !== null)
    conditions.push(sql`entry.sequence < ${page.before.toString()}::bigint`);
  const rows = await selectRows<Row>(
    tx,
    sql`with moved as (${selectEvents(owner)}), entry as (${selectEntries(owner)})
      select entry.group_id, entry.sequence::text, entry.kind, entry.amount::text,
        entry.fee::text, entry.balance::text, entry.order_id,
        (extract(epoch from entry.created_at) * 1000)::bigint::text as at_ms,
        coalesce(entry.shares_micro, claimed.amount_micro)::text as shares,
        entry.price_micro::text as price,
        market.title, market.slug, market.icon, market.tick_micro::text as tick,
        case when market.first_token = entry.token_id then market.first_outcome
          else market.second_outcome end as outcome
      from entry left join markets market on market.id = entry.market_id
        left join ledger_transfers claimed on claimed.id =
          entry.group_id || case when entry.kind in ('split', 'merge') then ':first' else ':shares' end
      where ${sql.join(conditions, sql` and `)}
      order by entry.sequence desc limit ${page.limit}`,
  );
  return rows.map(toEntry);
}

/** A part of a statement; an absent limit is open. */
export interface StatementPeriod {
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
}

/** The sums over the matching entries of a period. */
export interface StatementSums {
  lines: number;
  /** Both are not negative, and include fees. */
  received: Usdc;
  paid: Usdc;
  fees: Usdc;
  /** Cash before the first and after the last matching entry. */
  opening: Usdc;
  closing: Usdc;
}

/** Sums the matching entries of each period, in the order of the periods; null for one without entries. */
export async function sumStatement(
  tx: Tx,
  owner: Owner,
  filter: StatementFilter,
  periods: readonly StatementPeriod[],
): Promise<(StatementSums | null)[]> {
  const ranges = periods.map(({ from, to }, place) => ({ place, from, to }));
  const rows = await selectRows<{ place: number } & Record<keyof StatementSums, string>>(
    tx,
    sql`with moved as (${selectEvents(owner)}), entry as (${selectEntries(owner)})
      select period.place, count(*)::text as lines,
        coalesce(sum(entry.amount) filter (where entry.amount > 0), 0)::text as received,
        coalesce(-sum(entry.amount) filter (where entry.amount < 0), 0)::text as paid,
        sum(entry.fee)::text as fees,
        (array_agg(entry.balance - entry.amount order by entry.sequence))[1]::text as opening,
        (array_agg(entry.balance order by entry.sequence desc))[1]::text as closing
      from json_to_recordset(${toJsonRows(ranges)}::text::json)
          as period (place integer, "from" timestamptz, "to" timestamptz)
        join entry on (period."from" is null or entry.created_at >= period."from")
          and (period."to" is null or entry.created_at < period."to")
        left join markets market on market.id = entry.market_id
      where ${sql.join(buildConditions(filter), sql` and `)}
      group by period.place`,
  );
  const sums = new Map(rows.map((row) => [row.place, toSums(row)]));
  return periods.map((_, place) => sums.get(place) ?? null);
}

function toSums(row: Record<keyof StatementSums, string>): StatementSums {
  return {
    lines: Number(row.lines),
    received: usdc(BigInt(row.received)),
    paid: usdc(BigInt(row.paid)),
    fees: usdc(BigInt(row.fees)),
    opening: usdc(BigInt(row.opening)),
    closing: usdc(BigInt(row.closing)),
  };
}

/** Selects the entries from `moved`, with the kind and the balance after each. */
function selectEntries(owner: Owner): SQL {
  return sql`select moved.*, sum(moved.amount) over (order by moved.sequence) as balance,
      fill.order_id, fill.shares_micro, fill.price_micro,
      case when fill.action = 'BUY' then 'buy' when fill.action = 'SELL' then 'sell'
        when moved.market_id is null then 'deposit'
        when moved.cause = 'split_position' then 'split' when moved.cause = 'merge_positions' then 'merge'
        else 'claim' end as kind,
      coalesce(fill.token_id, split_part(moved.group_id, '/', 4)) as token_id
    from moved left join fills fill
      on fill.trade_id = moved.group_id and fill.user_id = ${owner.userId}`;
}

/**
 * Selects the change of cash per event, which is a group of transfers. Includes redeemed positions that
 * lost, which have no cash transfer.
 */
function selectEvents(owner: Owner): SQL {
  const [free, reserved] = [available(owner, USDC).id, held(owner, USDC).id];
  return sql`select group_id, max(sequence) as sequence, max(created_at) as created_at,
      max(market_id) as market_id, max(kind) as cause,
      sum(case when credit_account in (${free}, ${reserved}) then amount_micro
        else -amount_micro end) as amount,
      coalesce(sum(amount_micro) filter (where kind = 'fee'), 0) as fee
    from ledger_transfers
    where (debit_account in (${free}, ${reserved}) or credit_account in (${free}, ${reserved}))
      and kind not in ('hold', 'release')
    group by group_id
    union all
    select transfer.group_id, transfer.sequence, transfer.created_at, transfer.market_id,
      transfer.kind, 0, 0
    from ledger_accounts account
    join ledger_transfers transfer
      on transfer.debit_account = account.id and transfer.kind = 'redeem'
    where account.user_id = ${owner.userId} and account.epoch = ${owner.epoch}
      and not exists (select 1 from ledger_transfers cash where cash.id = transfer.group_id || ':cash')`;
}

function buildConditions(filter: StatementFilter): SQL[] {
  const { type, text, from, to } = filter;
  const conditions = [sql`true`];
  if (type === "fee") conditions.push(sql`entry.fee > 0`);
  else if (type !== undefined) conditions.push(sql`entry.kind = ${type}`);
  // Postgres text can't contain NUL. position() has no wildcards to escape.
  const words = text?.replaceAll("\0", "").toLowerCase();
  if (words) conditions.push(sql`position(${words} in lower(market.title)) > 0`);
  if (from) conditions.push(sql`entry.created_at >= ${from.toISOString()}::timestamptz`);
  if (to) conditions.push(sql`entry.created_at < ${to.toISOString()}::timestamptz`);
  return conditions;
}

function toEntry(row: Row): StatementEntry {
  const { title, slug, icon, outcome, tick } = row;
  const hasMarket =
    title !== null && slug !== null && icon !== null && outcome !== null && tick !== null;
  return {
    groupId: row.group_id,
    sequence: BigInt(row.sequence),
    kind: row.kind,
    amount: usdc(BigInt(row.amount)),
    fee: usdc(BigInt(row.fee)),
    balance: usdc(BigInt(row.balance)),
    market: hasMarket ? { title, slug, icon, outcome, tick: price(BigInt(tick)) } : null,
    orderId: row.order_id,
    shares: row.shares === null ? null : shares(BigInt(row.shares)),
    price: row.price === null ? null : price(BigInt(row.price)),
    createdAt: new Date(Number(row.at_ms)),
  };
}
