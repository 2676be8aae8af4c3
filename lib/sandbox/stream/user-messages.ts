import "server-only";
import type { OrderEvent } from "@/lib/db/queries/sandbox-events";
import type { FillRow, OrderRow, SettlementRow } from "@/lib/db/rows";
import { listTradeIds, toWireOrder } from "@/lib/sandbox/orders";
import { findStageHash, type SettlementStage } from "@/lib/sandbox/settlement";
import type { WireTrade } from "@/lib/sandbox/wire-trades";
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
  /** The order's trade that failed to settle; null if it has none. */
  failed: SettlementRow | null;
}

/** Renders the order as of an event; null for an event that the venue does not send. */
export function toOrderMessage(event: OrderEvent, context: OrderContext): UserMessage | null {
  const type = TYPES[event.type];
  if (!type) return null;
  const { row, market, failed } = context;
  const fills = selectFillsUpTo(event, context.fills);
  const wire = toWireOrder(row, market, {
    tradeIds: listTradeIds(fills, context.tradeIds),
    failed,
  });
  const common = {
    event_type: "order" as const,
    type,
    ...wire,
    order_owner: wire.owner,
    created_at: String(wire.created_at),
    timestamp: String(event.at),
  };
  // The venue counts a trade that fails to settle as matched.
  if (failed) return { ...common, type: "UPDATE" };
  const matched = sum(fills.map(({ shares }) => shares));
  return {
    ...common,
    size_matched: formatMicro(matched),
    status: toStatus(event, row.shares !== null && matched < row.shares),
    associate_trades: fills.length === 0 ? null : wire.associate_trades,
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

/** Renders a trade at one stage of its settlement. Each stage is sent once. */
export function toTradeMessage(
  trade: WireTrade,
  stage: SettlementStage,
  { at, market }: { at: number; market: Market | undefined },
): UserMessage {
  const findIndex = (tokenId: string) =>
    market?.outcomes.findIndex((outcome) => outcome.tokenId === tokenId) ?? 0;
  return {
    event_type: "trade",
    type: "TRADE",
    ...trade,
    status: stage.status,
    transaction_hash: findStageHash(trade.id, stage),
    trade_owner: trade.owner,
    maker_orders: trade.maker_orders.map((maker) => ({
      ...maker,
      outcome_index: findIndex(maker.asset_id),
    })),
    last_update: String(Math.floor(at / 1000)),
    timestamp: String(at),
  };
}
