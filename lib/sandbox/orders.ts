import "server-only";
import { getDb } from "@/lib/db/client";
import {
  selectFillsOfOrders,
  selectWalletOrders,
  type WalletOrdersFilter,
} from "@/lib/db/queries/sandbox-orders";
import type { FillRow, OrderRow } from "@/lib/db/rows";
import type { OrderStatus } from "@/lib/domain/order-status";
import { userIdOf, walletOfUser, walletsOf } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { EXPIRY_MARGIN_S } from "@/lib/sandbox/order-terms";
import { offsetOf, toPage } from "@/lib/sandbox/pages";
import { formatMicro } from "@/lib/units";
import { paperExchange } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

const PAGE_SIZE = 100;

const STATUS: Record<OrderStatus, string> = {
  pending: "LIVE",
  submitting: "LIVE",
  delayed: "DELAYED",
  open: "LIVE",
  filled: "MATCHED",
  canceled: "CANCELED",
  expired: "CANCELED",
  rejected: "INVALID",
  unknown: "LIVE",
  abandoned: "CANCELED",
};

/** The accounts of every wallet that a caller's owner may trade from. */
export const accountsOf = ({ owner }: SandboxCaller): string[] => walletsOf(owner).map(userIdOf);

/** `GET /data/orders`: live orders; a named one in any state. */
export async function listWireOrders(caller: SandboxCaller, query: URLSearchParams) {
  const offset = offsetOf(query);
  if (offset === null) return toPage([], 0, PAGE_SIZE);
  const id = query.get("id") ?? undefined;
  const filter: WalletOrdersFilter = {
    userIds: accountsOf(caller),
    id,
    marketId: query.get("market") ?? undefined,
    tokenId: query.get("asset_id") ?? undefined,
    isLive: id === undefined,
  };
  const rows = await selectWalletOrders(await getDb(), filter, { offset, limit: PAGE_SIZE });
  return toPage(await toWireOrders(rows), offset, PAGE_SIZE);
}

/** `GET /data/order/{id}`: one order in any state; null when the caller has none of that id. */
export async function findWireOrder(caller: SandboxCaller, id: string) {
  const filter = { userIds: accountsOf(caller), id, isLive: false };
  const rows = await selectWalletOrders(await getDb(), filter, { offset: 0, limit: 1 });
  const [order] = await toWireOrders(rows);
  return order ?? null;
}

async function toWireOrders(rows: readonly OrderRow[]) {
  const fills = await selectFillsOfOrders(
    await getDb(),
    rows.map(({ id }) => id),
  );
  const markets = await paperExchange().getMarkets(rows.map(({ marketId }) => marketId));
  return rows.map((row) =>
    toWireOrder(
      row,
      markets.get(row.marketId),
      fills.filter(({ orderId }) => orderId === row.id),
    ),
  );
}

/** An order as the venue shows it. */
export function toWireOrder(row: OrderRow, market: Market | undefined, fills: readonly FillRow[]) {
  return {
    id: row.id,
    status: STATUS[row.status],
    owner: row.keyId ?? "",
    maker_address: walletOfUser(row.userId),
    market: row.marketId,
    asset_id: row.tokenId,
    side: row.action,
    // A market buy is sized in dollars, and the venue shows it so.
    original_size: formatMicro(row.shares ?? row.amount ?? 0n),
    size_matched: formatMicro(row.filledShares),
    price: formatMicro(row.price ?? 0n),
    outcome: market?.outcomes[row.outcome].name ?? "",
    expiration:
      row.expiresAt === null ? "0" : String(row.expiresAt.getTime() / 1000 + EXPIRY_MARGIN_S),
    order_type: orderTypeOf(row),
    associate_trades: [...new Set(fills.map(({ tradeId }) => tradeId))],
    created_at: Math.floor(row.createdAt.getTime() / 1000),
  };
}

function orderTypeOf(row: OrderRow): "GTC" | "GTD" | "FOK" | "FAK" {
  if (row.type === "limit") return row.expiresAt === null ? "GTC" : "GTD";
  return row.isFillOrKill ? "FOK" : "FAK";
}
