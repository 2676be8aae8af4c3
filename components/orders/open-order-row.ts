import { formatOrderPrice } from "@/components/format/numbers";
import { formatWorstPrice } from "@/components/orders/order-words";
import type { EditState } from "@/components/orders/edit-order-form";
import type { FormAction } from "@/components/ui/action-form";
import type { OpenOrderWire } from "@/lib/browser/use-open-orders";
import type { OrderGroup } from "@/components/orders/group-orders";
import type { ReplaceResult } from "@/lib/domain/order-replacement";

/** The id of the form that cancels orders. Its buttons and boxes are in the rows, outside of it. */
export const CANCEL_FORM = "cancel-orders";

/** The id of the list's heading, which gets the focus if the focused order's row is gone. */
export const HEADING_ID = "open-orders-heading";

/** The outcome of a change of an order. */
export interface OrderChange {
  /** The new order's idempotency key. */
  key: string;
  result: ReplaceResult;
  /** The new terms: "buy 50 Yes at 37¢". */
  terms: string;
}

/** The editing of one order at a time. */
export interface Editing {
  /** The order that is being edited, or null. */
  id: string | null;
  /** Whether it has left the list, because it ended or was changed elsewhere. */
  hasLeft: boolean;
  action: FormAction<EditState>;
  start: (orderId: string) => void;
  leave: () => void;
  finish: (order: OpenOrderWire, change: OrderChange) => void;
}

/** The props of the table and the cards of open orders. */
export interface OpenOrderRows {
  orders: readonly OpenOrderWire[];
  /** The same orders by market; null if they aren't grouped. */
  groups: readonly OrderGroup[] | null;
  /** Asks whether to cancel all orders of a market. */
  askToCancel: (group: OrderGroup) => void;
  canceling: { ids: ReadonlySet<string>; problems: ReadonlyMap<string, string> };
  chosen: ReadonlySet<string>;
  choose: (ids: readonly string[], isChosen: boolean) => void;
  editing: Editing;
  /** Opens the order's details over the page. */
  showDetails: (orderId: string) => void;
}

/** "Buy Yes at 17¢, Will it rain?", for accessible names; "Buy Yes at 74¢ or better" of a market order. */
export function describeOpenOrder(order: OpenOrderWire): string {
  const { action, type, outcome, price, tickSize, marketTitle } = order;
  const at = type === "limit" ? `at ${formatOrderPrice(price, tickSize)}` : formatWorstPrice(order);
  return `${action === "BUY" ? "Buy" : "Sell"} ${outcome} ${at}, ${marketTitle}`;
}
