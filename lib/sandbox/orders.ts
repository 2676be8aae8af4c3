import "server-only";
import { z } from "zod";
import { getDb } from "@/lib/db/client";
import {
  selectFillsOfOrders,
  selectWalletOrders,
  type WalletOrdersFilter,
} from "@/lib/db/queries/sandbox-orders";
import { selectSettlements } from "@/lib/db/queries/simulated-settlements";
import type { FillRow, OrderRow, SettlementRow } from "@/lib/db/rows";
import type { OrderStatus } from "@/lib/domain/order-status";
import { listAccountIds, parseWallet } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import { readJsonBody } from "@/lib/sandbox/order-payload";
import { EXPIRY_MARGIN_S } from "@/lib/sandbox/order-terms";
import { readClobOffset, toClobPage } from "@/lib/sandbox/pages";
import { readTradeIds, toFailedTradeId } from "@/lib/sandbox/wire-trades";
import { formatMicro } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

const PAGE_SIZE = 100;
const MAX_IDS = 500;
const OrderId = z.string().regex(/^0x[0-9a-fA-F]{64}$/);

const STATUS: Record<OrderStatus, string> = {
  pending: "LIVE",
  pending_approval: "LIVE",
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

/** Serves `GET /data/orders`: live orders, or the named order in any state. */
export async function listWireOrders(caller: SandboxCaller, query: URLSearchParams) {
  const offset = readClobOffset(query);
  if (offset === null) return toClobPage([], 0, PAGE_SIZE);
  const id = query.get("id") ?? undefined;
  const filter: WalletOrdersFilter = {
    userIds: await listAccountIds(caller),
    keyOwner: caller.owner,
    id,
    marketId: query.get("market") ?? undefined,
    tokenId: query.get("asset_id") ?? undefined,
    isLive: id === undefined,
  };
  const rows = await selectWalletOrders(await getDb(), filter, { offset, limit: PAGE_SIZE });
  return toClobPage(await toWireOrders(rows), offset, PAGE_SIZE);
}

/** Serves `GET /data/order/{id}`: one order of the caller in any state; null when it has none. */
export async function findWireOrder(caller: SandboxCaller, id: string) {
  const userIds = await listAccountIds(caller);
  const filter = { userIds, keyOwner: caller.owner, id, isLive: false };
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
  const tradeIds = await readTradeIds(fills);
  const settlements = await selectSettlements(
    await getDb(),
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const own = fills.filter(({ orderId }) => orderId === row.id);
    return toWireOrder(row, markets.get(row.marketId), {
      tradeIds: listTradeIds(own, tradeIds),
      failed: findFailure(settlements.get(row.id)),
    });
  });
}

/** Returns the settlement of an order's trade if the trade failed to settle. */
export function findFailure(settlement: SettlementRow | undefined): SettlementRow | null {
  return settlement && settlement.shares > 0n ? settlement : null;
}

/** Lists the venue's ids of the trades behind fills. */
export function listTradeIds(
  fills: readonly FillRow[],
  tradeIds: ReadonlyMap<string, string>,
): string[] {
  return [...new Set(fills.map(({ tradeId }) => tradeIds.get(tradeId) ?? tradeId))];
}

interface OrderTrades {
  tradeIds: readonly string[];
  /** The trade that failed to settle. It still counts as matched, as at the venue (polymarket.md 5.8). */
  failed: SettlementRow | null;
}

/** Renders an order as the venue does. */
export function toWireOrder(
  row: OrderRow,
  market: Market | undefined,
  { tradeIds, failed }: OrderTrades,
) {
  const isFailedWhole = failed && (row.shares === null || failed.shares === row.shares);
  return {
    id: row.id,
    status: isFailedWhole ? STATUS.filled : STATUS[row.status],
    owner: row.keyId ?? "",
    maker_address: parseWallet(row.userId),
    market: row.marketId,
    asset_id: row.tokenId,
    side: row.action,
    // The size of a market buy is in dollars, as at the venue.
    original_size: formatMicro(row.shares ?? row.amount ?? 0n),
    size_matched: formatMicro(failed?.shares ?? row.filledShares),
    price: formatMicro(row.price ?? 0n),
    outcome: market?.outcomes[row.outcome].name ?? "",
    expiration:
      row.expiresAt === null ? "0" : String(row.expiresAt.getTime() / 1000 + EXPIRY_MARGIN_S),
    order_type: toOrderType(row),
    associate_trades: failed ? [toFailedTradeId(row.id)] : tradeIds,
    created_at: Math.floor(row.createdAt.getTime() / 1000),
  };
}

function toOrderType(row: OrderRow): "GTC" | "GTD" | "FOK" | "FAK" {
  if (row.type === "limit") return row.expiresAt === null ? "GTC" : "GTD";
  return row.isFillOrKill ? "FOK" : "FAK";
}

/** Serves `GET /order-scoring`. The paper exchange has no rewards, so no order scores. */
export function readScoring(query: URLSearchParams): { scoring: boolean } {
  if (!OrderId.safeParse(query.get("order_id")).success) {
    throw new SandboxError(400, "Invalid order_id");
  }
  return { scoring: false };
}

/** Serves `POST /orders-scoring`, the plural of `GET /order-scoring`. */
export function readScorings(body: string): Record<string, boolean> {
  const parsed = z.array(OrderId).max(MAX_IDS).safeParse(readJsonBody(body, "Invalid payload"));
  if (!parsed.success) throw new SandboxError(400, "Invalid payload");
  return Object.fromEntries(parsed.data.map((id) => [id, false]));
}
