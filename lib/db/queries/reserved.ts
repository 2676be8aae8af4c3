import "server-only";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import { markets, orders } from "@/lib/db/schema/trading";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import type { ExchangeName } from "@/lib/domain/protocol";

/** Sums up what an account's unsettled orders reserve: USDC (`tokenId` null) or shares of a token. */
export async function sumReserved(
  tx: Tx,
  account: AccountRef,
  tokenId: string | null,
): Promise<bigint> {
  const reserves =
    tokenId === null
      ? eq(orders.action, "BUY")
      : and(eq(orders.action, "SELL"), eq(orders.tokenId, tokenId));
  const [row] = await tx
    .select({ total: sql<string>`coalesce(sum(${orders.held}), 0)::text` })
    .from(orders)
    .where(
      and(ofAccount(orders, account), inArray(orders.status, [...UNSETTLED_STATUSES]), reserves),
    );
  return BigInt(row?.total ?? "0");
}

/** Sums up the shares that an account's unsettled sales reserve, by token. */
export async function sumReservedShares(
  tx: Tx,
  account: AccountRef,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx
    .select({ tokenId: orders.tokenId, total: sql<string>`sum(${orders.held})::text` })
    .from(orders)
    .where(
      and(
        ofAccount(orders, account),
        inArray(orders.status, [...UNSETTLED_STATUSES]),
        eq(orders.action, "SELL"),
        inArray(orders.tokenId, [...tokenIds]),
      ),
    )
    .groupBy(orders.tokenId);
  return new Map(rows.map(({ tokenId, total }) => [tokenId, BigInt(total)]));
}

/** Sums up the USDC that an account's unsettled buys reserve on one of the exchange contracts. */
export async function sumReservedOnExchange(
  tx: Tx,
  account: AccountRef,
  exchange: ExchangeName,
): Promise<bigint> {
  const [row] = await tx
    .select({ total: sql<string>`coalesce(sum(${orders.held}), 0)::text` })
    .from(orders)
    .innerJoin(markets, eq(markets.id, orders.marketId))
    .where(
      and(
        ofAccount(orders, account),
        inArray(orders.status, [...UNSETTLED_STATUSES]),
        eq(orders.action, "BUY"),
        isSettledBy(exchange),
      ),
    );
  return BigInt(row?.total ?? "0");
}

/** Selects the markets of an exchange, as `chooseExchange` does. */
function isSettledBy(exchange: ExchangeName): SQL | undefined {
  if (exchange === "v3") return eq(markets.protocol, "v2");
  return and(eq(markets.protocol, "v1"), eq(markets.isNegRisk, exchange === "negRisk"));
}
