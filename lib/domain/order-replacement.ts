import type { OrderOrigin, OrderStatus } from "@/lib/domain/order-status";
import type { Price, Shares } from "@/lib/units";

/** What became of a replacement. At most one of the two orders is open, whatever the outcome. */
export type ReplaceResult =
  | {
      outcome: "placed";
      newOrderId: string;
      status: OrderStatus;
      /** The shares that the new order has filled, and their average price; null if there are none. */
      filledShares: Shares;
      average: Price | null;
    }
  /** The order is canceled; the new one was rejected. */
  | { outcome: "rejected"; message: string; newOrderId: string | null }
  /** The order is canceled, and had filled as much as the new size. */
  | { outcome: "nothing_left" }
  /** The order ended in another way first. It is as it was; nothing was placed. */
  | { outcome: "ended"; status: OrderStatus }
  /** Another change of the order came first. Nothing was placed for this one. */
  | { outcome: "superseded" }
  /** The venue has not confirmed the cancel. Nothing was placed; a repeat continues. */
  | { outcome: "cancel_unknown" }
  /** The order is canceled, and the new one is not placed yet; a repeat places it. */
  | { outcome: "unplaced" }
  /** The order is canceled. Whether the new one was placed is unknown; a repeat finds out. */
  | { outcome: "placement_unknown"; newOrderId: string };

interface ReplaceableFields {
  status: OrderStatus;
  type: "limit" | "market";
  origin: OrderOrigin;
}

/** Returns whether an order's price and size can be changed. */
export function isReplaceable({ status, type, origin }: ReplaceableFields): boolean {
  // The options of an order that another program placed are not all known.
  return status === "open" && type === "limit" && origin === "ante";
}

/** Returns whether a repeat with the same key can still get further. */
export function canRepeat({ outcome }: ReplaceResult): boolean {
  return outcome === "cancel_unknown" || outcome === "unplaced" || outcome === "placement_unknown";
}
