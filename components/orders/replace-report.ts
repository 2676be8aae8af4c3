import { formatPrice, formatShares } from "@/components/format/numbers";
import type { ReplaceResult } from "@/lib/domain/order-replacement";
import type { OrderStatus } from "@/lib/domain/order-status";
import { microToNumber } from "@/lib/units";

export interface ReplaceReport {
  tone: "success" | "info" | "warn" | "danger";
  text: string;
}

const ENDED: Partial<Record<OrderStatus, string>> = {
  filled: "The order filled before it could be changed.",
  expired: "The order expired before it could be changed.",
  canceled: "The order was canceled before it could be changed.",
};

/** The order that was changed. */
export interface ChangedOrder {
  action: "BUY" | "SELL";
  /** The outcome's name: Yes, or a team's. */
  outcome: string;
  tickSize: string;
}

/**
 * Describes what became of a change of an order.
 *
 * @param terms the new terms: "buy 50 Yes at 37¢".
 */
export function describeReplacement(
  result: ReplaceResult,
  terms: string,
  order: ChangedOrder,
): ReplaceReport {
  switch (result.outcome) {
    case "placed":
      return { tone: "success", text: describePlaced(result, terms, order) };
    case "rejected":
      return {
        tone: "danger",
        text: `Your order was canceled, but the new one was rejected. ${result.message}`,
      };
    case "nothing_left":
      return {
        tone: "info",
        text: "Your order was canceled. It had already filled the new size, so nothing was placed.",
      };
    case "ended": {
      const ended = ENDED[result.status] ?? "The order ended before it could be changed.";
      return { tone: "info", text: `${ended} No new order was placed.` };
    }
    case "superseded":
      return {
        tone: "warn",
        text: "Your change wasn’t saved, because the order had already been changed elsewhere.",
      };
    case "cancel_unknown":
      return {
        tone: "warn",
        text: "The exchange hasn’t confirmed the cancel yet. No new order was placed.",
      };
    case "unplaced":
      return {
        tone: "warn",
        text: "Your order was canceled; the new one isn’t placed yet. You can try again.",
      };
    case "placement_unknown":
      return {
        tone: "warn",
        text: "Your order was canceled. The exchange hasn’t confirmed the new one yet. You can safely try again: it’s placed only once.",
      };
  }
}

type Placed = Extract<ReplaceResult, { outcome: "placed" }>;

function describePlaced(placed: Placed, terms: string, order: ChangedOrder): string {
  const { status, filledShares } = placed;
  if (status === "filled") return `Order changed. ${describeFilled(placed, order)}.`;
  const filled = filledShares === 0n ? "" : ` ${describeFilled(placed, order)}.`;
  const ended = status === "canceled" ? " It’s no longer open." : "";
  return `Order changed: ${terms}.${filled}${ended}`;
}

/** "Bought 150 shares of Yes at 50¢" */
function describeFilled(
  { filledShares, average }: Placed,
  { action, outcome, tickSize }: ChangedOrder,
): string {
  const done = action === "BUY" ? "Bought" : "Sold";
  const at = formatPrice(average === null ? null : microToNumber(average), tickSize, 1);
  return `${done} ${formatShares(microToNumber(filledShares))} shares of ${outcome} at ${at}`;
}
