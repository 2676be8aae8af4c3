import { HIDDEN } from "@/components/format/figures";
import { formatOrderPrice, formatShares } from "@/components/format/numbers";
import { addExactly } from "@/components/format/sums";
import { isHidingValues } from "@/lib/browser/hide-values";
import type { Toast } from "@/lib/browser/toasts";

/** An order with its unfilled shares. */
export interface CancelableOrder {
  id: string;
  idempotencyKey: string | null;
  action: "BUY" | "SELL";
  type: "limit" | "market";
  /** The outcome's name: Yes, or a team's. */
  outcome: string;
  /** The unfilled shares; null if the order is for an amount. */
  shares: number | null;
  price: number | null;
  tickSize: string;
}

/** The id of an order's toast, so that each one replaces the one before. */
export const toToastId = ({ id, idempotencyKey }: Pick<CancelableOrder, "id" | "idempotencyKey">) =>
  idempotencyKey ?? id;

/** Returns the unfilled shares of an order. */
export const readRemaining = ({
  shares,
  filledShares,
}: {
  shares: number | null;
  filledShares: number;
}) => (shares === null ? null : addExactly(shares, -filledShares));

/** "buy 20 Yes at 55¢", or "market buy 20 Yes at 55¢ or better" */
export function describeTerms(order: CancelableOrder) {
  const { action, type, outcome, shares, price, tickSize } = order;
  const isMarket = type === "market";
  const verb = `${isMarket ? "market " : ""}${action === "BUY" ? "buy" : "sell"}`;
  const size = shares === null ? "" : `${isHidingValues() ? HIDDEN : formatShares(shares)} `;
  const at =
    price === null ? "" : ` at ${formatOrderPrice(price, tickSize)}${isMarket ? " or better" : ""}`;
  return `${verb} ${size}${outcome}${at}`;
}

/** Creates the toast of a canceled order, which takes the place of the open order's. */
export function createCanceledToast(order: CancelableOrder): Toast {
  return {
    id: toToastId(order),
    tone: "success",
    isFinal: true,
    text: `Canceled: ${describeTerms(order)}.`,
    link: { href: `/orders/${order.id}`, label: "View" },
  };
}
