import "server-only";
import type { OrderEvent } from "@/lib/db/queries/sandbox-events";
import type { FillRow, OrderRow } from "@/lib/db/rows";
import { listTradeIds, toWireOrder } from "@/lib/sandbox/orders";
import { computeTransactionHash, type WireTrade } from "@/lib/sandbox/trades";
import { formatMicro, sum } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

/** A message of the user channel (polymarket.md 8.2). */
export type UserMessage = { event_type: "order" | "trade" } & Record<string, unknown>;

/** The message types of order events. Other events are not sent. */
const TYPES: Partial<Record<OrderEvent["type"], "PLACEMENT" | "UPDATE" | "CANCELLATION">> = {
  delayed: "PLACEMENT",
  opened: "PLACEMENT",
  matched: "UPDATE",
  canceled: "CANCELLATION",
  expired: "CANCELLATION",
};

interface OrderContext {
  row: OrderRow;
  /** All of the order's fills, in the order of their creation. */
  fills: readonly FillRow[];
  /** The venue's trade ids by the exchange's trade ids. */
  tradeIds: ReadonlyMap<string, string>;
  market: Market | undefined;
}

/** Renders the order as of an event; null for an event that the venue does not send. */
export function toOrderMessage(event: OrderEvent, context: OrderContext): UserMessage | null {
  const type = TYPES[event.type];
  if (!type) return null;
  const { row, market } = context;
  const fills = selectFillsUpTo(event, context.fills);
  const wire = toWireOrder(row, market, listTradeIds(fills, context.tradeIds));
  const matched = sum(fills.map(({ shares }) => shares));
  return {
    event_type: "order",
    type,
    ...wire,
    order_owner: wire.owner,
    size_matched: formatMicro(matched),
    status: toStatus(event, row.shares !== null && matched < row.shares),
    associate_trades: fills.length === 0 ? null : wire.associate_trades,
    created_at: String(wire.created_at),
    timestamp: String(event.at),
  };
}

function selectFillsUpTo({ fillId, at }: OrderEvent, fills: readonly FillRow[]): FillRow[] {
  if (fillId === null) return fills.filter(({ createdAt }) => createdAt.getTime() <= at);
  return fills.slice(0, fills.findIndex(({ id }) => id === fillId) + 1);
}

function toStatus({ type }: OrderEvent, hasRest: boolean): string {
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

/** Renders a trade at one stage of its settlement. Each stage is sent once. */
export function toTradeMessage(
  trade: WireTrade,
  stage: TradeStage,
  { at, market }: { at: number; market: Market | undefined },
): UserMessage {
  const findIndex = (tokenId: string) =>
    market?.outcomes.findIndex((outcome) => outcome.tokenId === tokenId) ?? 0;
  return {
    event_type: "trade",
    type: "TRADE",
    ...trade,
    status: stage,
    transaction_hash: stage === "MATCHED" ? null : computeTransactionHash(trade.id),
    trade_owner: trade.owner,
    maker_orders: trade.maker_orders.map((maker) => ({
      ...maker,
      outcome_index: findIndex(maker.asset_id),
    })),
    last_update: String(Math.floor(at / 1000)),
    timestamp: String(at),
  };
}
