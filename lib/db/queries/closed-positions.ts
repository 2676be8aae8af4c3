import "server-only";
import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { isIn } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { Owner } from "@/lib/ledger/accounts";
import type { ClosedTotals } from "@/lib/schemas/portfolio";
import { type Shares, shares, type Usdc, usdc } from "@/lib/units";

/**
 * A round trip: a position from its first buy until it had no shares left. The next buy of the same
 * outcome begins another one.
 */
export interface ClosedPositionRow {
  tokenId: string;
  /** Counts an account's round trips in the same outcome, from 1. */
  number: number;
  title: string;
  slug: string;
  icon: string;
  outcome: string;
  bought: Usdc;
  /** Shares of all buys. */
  shares: Shares;
  /** Sales and payout. */
  received: Usdc;
  /** Null unless it was redeemed; 0 if it lost. */
  payout: Usdc | null;
  fees: Usdc;
  closedAt: Date;
}

/** Amounts and times are selected as text, which all drivers decode alike. */
interface Row {
  token_id: string;
  number: number;
  title: string;
  slug: string;
  icon: string;
  outcome: string;
  bought: string;
  shares: string;
  received: string;
  payout: string | null;
  fees: string;
  at_ms: string;
}

/** Selects one page of an account's closed positions, newest first, starting after `after`. */
export async function selectClosedPositions(
  tx: Tx,
  owner: Owner,
  after: Pick<ClosedPositionRow, "closedAt" | "tokenId" | "number"> | null,
  limit: number,
): Promise<ClosedPositionRow[]> {
  const older =
    after &&
    sql`where (closed_at, token_id, number)
      < (${after.closedAt.toISOString()}::timestamptz, ${after.tokenId}, ${after.number}::integer)`;
  const rows = await selectRows<Row>(
    tx,
    sql`with page as (
        select * from (${selectEnds(owner)}) as closed ${older ?? sql``}
        order by closed_at desc, token_id desc, number desc limit ${limit})
      select page.token_id, page.number, market.title, market.slug, market.icon,
        case when market.first_token = page.token_id then market.first_outcome
          else market.second_outcome end as outcome,
        page.bought::text as bought, page.shares::text as shares,
        page.received::text as received, page.payout::text as payout, page.fees::text as fees,
        (extract(epoch from page.closed_at) * 1000)::bigint::text as at_ms
      from page join markets market on market.id = page.market_id
      order by page.closed_at desc, page.token_id desc, page.number desc`,
  );
  return rows.map((row) => ({
    tokenId: row.token_id,
    number: row.number,
    title: row.title,
    slug: row.slug,
    icon: row.icon,
    outcome: row.outcome,
    bought: usdc(BigInt(row.bought)),
    shares: shares(BigInt(row.shares)),
    received: usdc(BigInt(row.received)),
    payout: row.payout === null ? null : usdc(BigInt(row.payout)),
    fees: usdc(BigInt(row.fees)),
    closedAt: new Date(Number(row.at_ms)),
  }));
}

/** The sums of all buys, sales and fees of a position. */
type PositionSums = Pick<ClosedPositionRow, "bought" | "received" | "fees">;

/** Selects the sums of an account's redeemed positions in these outcomes, by token. */
export async function selectRedeemedSums(
  tx: Tx,
  owner: Owner,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, PositionSums>> {
  const rows = await selectRows<SumsRow>(
    tx,
    sql`select token_id, bought::text as bought, received::text as received, fees::text as fees
      from (${selectEnds(owner)}) as closed
      where payout is not null and ${isIn(sql`token_id`, tokenIds)}`,
  );
  return toSums(rows);
}

/** Selects the sums of an account's held positions in these outcomes since it had no shares, by token. */
export async function selectHeldSums(
  tx: Tx,
  owner: Owner,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, PositionSums>> {
  if (tokenIds.length === 0) return new Map();
  const rows = await selectRows<SumsRow>(
    tx,
    sql`select token_id, sum(bought)::text as bought, sum(received)::text as received,
        sum(fee)::text as fees
      from (
        select *, count(*) filter (where held = 0) over (
          partition by token_id order by sequence rows between unbounded preceding and 1 preceding) as ends
        from (
          select *, sum(bought_shares - sold_shares) over (
            partition by token_id order by sequence rows unbounded preceding) as held
          from (${selectMovements(owner)}) as movement
          where ${isIn(sql`token_id`, tokenIds)}) as moved) as trip
      group by token_id, ends
      having sum(bought_shares - sold_shares) > 0`,
  );
  return toSums(rows);
}

type SumsRow = Pick<Row, "token_id" | "bought" | "received" | "fees">;

function toSums(rows: readonly SumsRow[]): ReadonlyMap<string, PositionSums> {
  return new Map(
    rows.map(({ token_id, bought, received, fees }) => [
      token_id,
      { bought: usdc(BigInt(bought)), received: usdc(BigInt(received)), fees: usdc(BigInt(fees)) },
    ]),
  );
}

/** Sums all closed positions of an account, and its realized profit. */
export async function selectClosedTotals(
  tx: Tx,
  owner: Owner,
): Promise<z.output<typeof ClosedTotals>> {
  const { userId, epoch } = owner;
  const [row] = await selectRows<Record<keyof z.output<typeof ClosedTotals>, string>>(
    tx,
    sql`select count(*)::text as count, coalesce(sum(received - bought), 0)::text as profit,
        coalesce(sum(fees), 0)::text as fees,
        (select coalesce(sum(realized_pnl_micro), 0)::text from positions
          where user_id = ${userId} and epoch = ${epoch}) as realized
      from (${selectEnds(owner)}) as closed`,
  );
  const toUsdc = (text = "0") => usdc(BigInt(text));
  return {
    count: Number(row?.count ?? 0),
    profit: toUsdc(row?.profit),
    fees: toUsdc(row?.fees),
    realized: toUsdc(row?.realized),
  };
}

/**
 * Selects the ends of an account's round trips: the sales and redemptions that left no shares. Each has
 * the sums since the end before, which are the differences of the sums since the token's first fill.
 */
function selectEnds({ userId, epoch }: Owner): SQL {
  const since = (column: string) =>
    sql.raw(`${column} - coalesce(lag(${column}) over ends, 0) as ${column}`);
  return sql`
    select token_id, market_id, (row_number() over ends)::integer as number, payout,
      created_at as closed_at, ${since("bought")}, ${since("shares")}, ${since("received")}, ${since("fees")}
    from (
      select token_id, market_id, sequence, payout, created_at,
        sum(bought_shares - sold_shares) over token as held,
        sum(bought) over token as bought, sum(bought_shares) over token as shares,
        sum(received) over token as received, sum(fee) over token as fees
      from (${selectMovements({ userId, epoch })}) as movement
      window token as (partition by token_id order by sequence rows unbounded preceding)) as moved
    where held = 0
    window ends as (partition by token_id order by sequence)`;
}

/** Selects an account's fills, splits, merges and redemptions. A redemption is the last movement of its token. */
function selectMovements({ userId, epoch }: Owner): SQL {
  return sql`
    select token_id, market_id, sequence, created_at, fee_micro as fee, null::bigint as payout,
      case action when 'BUY' then shares_micro else 0 end as bought_shares,
      case action when 'BUY' then 0 else shares_micro end as sold_shares,
      case action when 'BUY' then notional_micro else 0 end as bought,
      case action when 'BUY' then 0 else notional_micro end as received
    from fills where user_id = ${userId} and epoch = ${epoch}
    union all
    select token_id, market_id, sequence, created_at, 0, null,
      case action when 'BUY' then shares_micro else 0 end,
      case action when 'BUY' then 0 else shares_micro end,
      case action when 'BUY' then notional_micro else 0 end,
      case action when 'BUY' then 0 else notional_micro end
    from split_movements where user_id = ${userId} and epoch = ${epoch}
    union all
    select closed.token_id, closed.market_id, null, redeemed.created_at, 0,
      coalesce(paid.amount_micro, 0), 0, redeemed.amount_micro, 0, coalesce(paid.amount_micro, 0)
    from positions closed
      join ledger_transfers redeemed on redeemed.id =
        'redeem/' || closed.user_id || '/' || closed.epoch || '/' || closed.token_id || ':shares'
      left join ledger_transfers paid on paid.id = redeemed.group_id || ':cash'
    where closed.user_id = ${userId} and closed.epoch = ${epoch} and closed.shares_micro = 0`;
}
