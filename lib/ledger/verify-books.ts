import "server-only";
import { sql } from "drizzle-orm";
import { selectRows, withSnapshot } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
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

/**
 * Recomputes every balance, hold, order, position and market from the transfers and fills alone,
 * and says what disagrees with what is stored.
 */
export async function verifyBooks(): Promise<VerificationReport> {
  return withSnapshot(async (tx) => {
    const problems: string[] = [];
    for (const check of CHECKS) {
      const rows = await selectRows<{ problem: string }>(tx, check);
      problems.push(...rows.map((row) => row.problem));
    }
    problems.push(...(await verifyPositions(tx)));
    const [counts] = await selectRows<Record<"transfers" | "accounts" | "orders", string>>(
      tx,
      sql`select (select count(*) from ledger_transfers) as transfers,
            (select count(*) from ledger_accounts) as accounts,
            (select count(*) from orders) as orders`,
    );
    return {
      ok: problems.length === 0,
      transfers: Number(counts?.transfers ?? 0),
      accounts: Number(counts?.accounts ?? 0),
      orders: Number(counts?.orders ?? 0),
      problems,
    };
  });
}

/** A fill that the chain refused was reversed: it is kept as a record and counts for nothing. */
const SETTLED_FILLS = sql`(select f.* from fills f where not exists (
  select 1 from fill_settlements s where s.fill_id = f.id and s.status = 'failed'))`;

/** Each statement selects one line per disagreement, so a sound database selects nothing. */
const CHECKS = [
  sql`with moved as (
        select account, sum(amount)::bigint as amount from (
          select credit_account as account, amount_micro as amount from ledger_transfers
          union all select debit_account, -amount_micro from ledger_transfers) legs
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
        from orders group by 1, 2, 3)
      select 'held ' || a.asset || ' of ' || a.user_id || ' is ' || a.balance_micro
        || ', live orders hold ' || coalesce(e.held, 0) as problem
      from ledger_accounts a left join expected e
        on e.user_id = a.user_id and e.epoch = a.epoch and e.asset = a.asset
      where a.kind = 'held' and a.balance_micro <> coalesce(e.held, 0)`,
  sql`select 'order ' || id || ' is ' || status || ' and still holds ' || held_micro as problem
      from orders where status not in ('open', 'delayed', 'pending', 'submitting', 'unknown')
        and held_micro <> 0`,
  sql`with made as (
        select order_id, sum(shares_micro)::bigint as shares, sum(notional_micro)::bigint as notional,
          sum(fee_micro)::bigint as fee from ${SETTLED_FILLS} as made_fills group by order_id)
      select 'order ' || o.id || ' shows ' || o.filled_shares_micro || ' filled, its fills add up to '
        || coalesce(m.shares, 0) as problem
      from orders o left join made m on m.order_id = o.id
      where o.filled_shares_micro <> coalesce(m.shares, 0)
        or o.filled_notional_micro <> coalesce(m.notional, 0) or o.fee_micro <> coalesce(m.fee, 0)`,
  sql`select 'fill ' || f.id || ' is worse than the limit of its order' as problem
      from fills f join orders o on o.id = f.order_id
      where o.price_micro is not null
        and ((f.action = 'BUY' and f.price_micro > o.price_micro)
          or (f.action = 'SELL' and f.price_micro < o.price_micro))`,
  sql`select 'order ' || o.id || ' belongs to no idempotency key' as problem
      from orders o where not exists (
        select 1 from idempotency_keys k where k.order_id = o.id and k.user_id = o.user_id)`,
  // A market order that still stands at a remote venue is answered when it has ended.
  sql`select 'idempotency key of order ' || k.order_id || ' has no ' ||
        case when k.body is null then 'answer' else 'order' end as problem
      from idempotency_keys k left join orders o on o.id = k.order_id
      where o.id is null
        or (k.body is null and o.status not in ('pending', 'submitting', 'unknown')
          and not (o.type = 'market' and o.status = 'open'))`,
  // One dollar is locked for each pair of shares; once paid out, for each winning share left, or
  // half a dollar for each share where nobody won.
  sql`with outstanding as (
        select m.id, coalesce(c.balance_micro, 0) as locked, -coalesce(f.balance_micro, 0) as first,
          -coalesce(s.balance_micro, 0) as second,
          exists (select 1 from ledger_transfers t where t.market_id = m.id and t.kind = 'redeem') as is_paid
        from markets m
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
] as const;

interface Movement {
  holding: string;
  action: "BUY" | "SELL";
  shares: string;
  notional: string;
}

interface StoredHolding {
  holding: string;
  cost: string;
  realized: string;
}

/**
 * Replays fills and payouts through the same rules and compares cost and realized profit. What a
 * live account holds, only the venue knows.
 */
async function verifyPositions(tx: Tx): Promise<string[]> {
  const movements = await selectRows<Movement>(
    tx,
    sql`select user_id || '/' || epoch || '/' || token_id as holding, action,
          shares_micro as shares, notional_micro as notional, 0 as step, sequence from fills
        where epoch <> ${LIVE_EPOCH}
        union all
        select a.user_id || '/' || a.epoch || '/' || a.asset, 'SELL', t.amount_micro,
          coalesce(c.amount_micro, 0), 1, t.sequence
        from ledger_transfers t join ledger_accounts a on a.id = t.debit_account
          left join ledger_transfers c on c.id = t.group_id || ':cash'
        where t.kind = 'redeem' and a.kind = 'available' and a.asset <> 'usdc'
          and a.epoch <> ${LIVE_EPOCH}
        order by step, sequence`,
  );
  const replayed = new Map<string, Holding>();
  const oversold = new Set<string>();
  for (const { holding, action, shares: size, notional } of movements) {
    const former = replayed.get(holding) ?? EMPTY_HOLDING;
    const sold = shares(BigInt(size));
    if (action === "SELL" && sold > former.shares) oversold.add(holding);
    if (oversold.has(holding)) continue;
    const apply = action === "BUY" ? applyBuy : applySell;
    replayed.set(holding, apply(former, sold, usdc(BigInt(notional))));
  }
  const stored = await selectRows<StoredHolding>(
    tx,
    sql`select user_id || '/' || epoch || '/' || token_id as holding, cost_micro as cost,
          realized_pnl_micro as realized from positions where epoch <> ${LIVE_EPOCH}`,
  );
  const wrong = stored
    .filter(({ holding, cost, realized }) => {
      const expected = replayed.get(holding) ?? EMPTY_HOLDING;
      return expected.cost !== BigInt(cost) || expected.realizedPnl !== BigInt(realized);
    })
    .map(({ holding }) => holding);
  return [...new Set([...oversold, ...wrong])].map(
    (holding) => `position ${holding} does not follow from its fills`,
  );
}
