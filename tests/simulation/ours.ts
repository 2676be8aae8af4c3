import { sql } from "drizzle-orm";
import { getDb, selectRows } from "@/lib/db/client";
import type { OrderStatus } from "@/lib/domain/order-status";
import { external, held, LIVE_EPOCH, USDC } from "@/lib/ledger/accounts";
import { MARKET } from "@/tests/simulation/market";

/** An order in the service's database, with its reservation in the ledger. */
export interface OurOrder {
  orderId: string;
  venueOrderId: string;
  key: string;
  status: OrderStatus;
  price: bigint;
  shares: bigint | null;
  amount: bigint | null;
  filled: bigint;
  notional: bigint;
  held: bigint;
  /** Transfers into its reservation, back out of it, and on to trades and fees. */
  reserved: bigint;
  released: bigint;
  used: bigint;
  abandonedAt: number | null;
  cameBack: boolean;
  openSettlements: number;
}

type Texts = Record<
  Exclude<keyof OurOrder, "status" | "shares" | "amount" | "abandonedAt" | "cameBack">,
  string
> &
  Pick<OurOrder, "status" | "cameBack"> &
  Record<"shares" | "amount" | "abandonedAt", string | null>;

const ASSETS = [USDC, ...MARKET.outcomes.map(({ tokenId }) => tokenId)];
const toSqlList = (texts: readonly string[]) =>
  sql.join(
    texts.map((text) => sql`${text}`),
    sql`, `,
  );

/** Selects the users' orders, oldest first. */
export async function selectOurs(userIds: readonly string[]): Promise<OurOrder[]> {
  const reservations = toSqlList(
    userIds.flatMap((userId) =>
      ASSETS.map((asset) => held({ userId, epoch: LIVE_EPOCH }, asset).id),
    ),
  );
  const rows = await selectRows<Texts>(
    await getDb(),
    sql`with moved as (
        select order_id, kind, amount_micro, debit_account in (${reservations}) as is_out
        from ledger_transfers
        where debit_account in (${reservations}) or credit_account in (${reservations})),
      reservation as (
        select order_id, sum(amount_micro) filter (where not is_out) as reserved,
          sum(amount_micro) filter (where is_out and kind = 'release') as released,
          sum(amount_micro) filter (where is_out and kind <> 'release') as used
        from moved group by order_id)
      select o.id as "orderId", r.venue_order_id as "venueOrderId", o.status,
        o.idempotency_key_json as key, o.price_micro::text as price, o.shares_micro::text as shares,
        o.amount_micro::text as amount, o.filled_shares_micro::text as filled,
        o.filled_notional_micro::text as notional, o.held_micro::text as held,
        coalesce(m.reserved, 0)::text as reserved, coalesce(m.released, 0)::text as released,
        coalesce(m.used, 0)::text as used,
        (select (extract(epoch from max(created_at)) * 1000)::bigint::text from order_events
          where order_id = o.id and type = 'abandoned') as "abandonedAt",
        exists (select 1 from order_events where order_id = o.id
          and detail ->> 'reason' = 'late_appearance') as "cameBack",
        (select count(*)::text from fills f join fill_settlements s on s.fill_id = f.id
          where f.order_id = o.id and s.status in ('matched', 'mined')) as "openSettlements"
      from remote_orders r join orders o on o.id = r.order_id
        left join reservation m on m.order_id = o.id
      where r.user_id in (${toSqlList(userIds)}) order by r.created_at, o.id`,
  );
  return rows.map(toOurs);
}

/** Selects what the ledger moved into a user's wallet, including reservations, in micro-USDC. */
export async function selectCash(userId: string): Promise<bigint> {
  const owner = { userId, epoch: LIVE_EPOCH };
  const [row] = await selectRows<{ total: string }>(
    await getDb(),
    sql`select coalesce(sum(balance_micro), 0)::text as total from ledger_accounts
      where id in (${external(owner, USDC).id}, ${held(owner, USDC).id})`,
  );
  return BigInt(row?.total ?? "0");
}

function toOurs(row: Texts): OurOrder {
  const maybe = (text: string | null) => (text === null ? null : BigInt(text));
  return {
    ...row,
    key: JSON.parse(row.key) as string,
    price: BigInt(row.price),
    shares: maybe(row.shares),
    amount: maybe(row.amount),
    filled: BigInt(row.filled),
    notional: BigInt(row.notional),
    held: BigInt(row.held),
    reserved: BigInt(row.reserved),
    released: BigInt(row.released),
    used: BigInt(row.used),
    abandonedAt: row.abandonedAt === null ? null : Number(row.abandonedAt),
    openSettlements: Number(row.openSettlements),
  };
}
