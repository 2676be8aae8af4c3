import "server-only";
import type { OrderNews } from "@/lib/db/queries/sandbox-events";
import type { FillRow, OrderRow } from "@/lib/db/rows";
import { toWireOrder } from "@/lib/sandbox/orders";
import { transactionHashOf, type WireTrade } from "@/lib/sandbox/trades";
import { formatMicro, sum } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

/** A message of the user channel (polymarket.md 8.2). */
export type UserMessage = { event_type: "order" | "trade" } & Record<string, unknown>;

/** What a line of an order's biography is called on the wire; the others are not told. */
const TYPES: Partial<Record<OrderNews["type"], "PLACEMENT" | "UPDATE" | "CANCELLATION">> = {
  delayed: "PLACEMENT",
  opened: "PLACEMENT",
  matched: "UPDATE",
  canceled: "CANCELLATION",
  expired: "CANCELLATION",
};

interface OrderScene {
  row: OrderRow;
  /** All of the order's fills, as they came about. */
  fills: readonly FillRow[];
  market: Market | undefined;
}

/** The order as it stood when the line was written; null for lines that the venue does not tell. */
export function orderMessage(news: OrderNews, scene: OrderScene): UserMessage | null {
  const type = TYPES[news.type];
  if (!type) return null;
  const { row, market } = scene;
  const fills = fillsUpTo(news, scene.fills);
  const wire = toWireOrder(row, market, fills);
  const matched = sum(fills.map(({ shares }) => shares));
  return {
    event_type: "order",
    type,
    ...wire,
    order_owner: wire.owner,
    size_matched: formatMicro(matched),
    status: statusOf(news, row.shares !== null && matched < row.shares),
    associate_trades: fills.length === 0 ? null : wire.associate_trades,
    created_at: String(wire.created_at),
    timestamp: String(news.at),
  };
}

function fillsUpTo({ fillId, at }: OrderNews, fills: readonly FillRow[]): FillRow[] {
  if (fillId === null) return fills.filter(({ createdAt }) => createdAt.getTime() <= at);
  return fills.slice(0, fills.findIndex(({ id }) => id === fillId) + 1);
}

function statusOf({ type }: OrderNews, hasRest: boolean): string {
  switch (type) {
    case "canceled":
    case "expired":
      return "CANCELED";
    case "delayed":
      return "DELAYED";
    default:
      return hasRest ? "LIVE" : "MATCHED";
  }
}

export type TradeStage = "MATCHED" | "MINED" | "CONFIRMED";

/** A trade at one stage of its settlement; the same trade is sent once for each. */
export function tradeMessage(
  trade: WireTrade,
  stage: TradeStage,
  { at, market }: { at: number; market: Market | undefined },
): UserMessage {
  const indexOf = (tokenId: string) =>
    market?.outcomes.findIndex((outcome) => outcome.tokenId === tokenId) ?? 0;
  return {
    event_type: "trade",
    type: "TRADE",
    ...trade,
    status: stage,
    transaction_hash: stage === "MATCHED" ? null : transactionHashOf(trade.id),
    trade_owner: trade.owner,
    maker_orders: trade.maker_orders.map((maker) => ({
      ...maker,
      outcome_index: indexOf(maker.asset_id),
    })),
    last_update: String(Math.floor(at / 1000)),
    timestamp: String(at),
  };
}
