import "server-only";
import type { OrderIntent } from "@/lib/domain/order-intent";
import type { Price } from "@/lib/units";
import type { Market, SignedOrder } from "@/lib/venue/port";

/** An order in the venue's own terms, before it is signed. */
export interface OrderDraft {
  intent: OrderIntent;
  tokenId: string;
  market: Market;
  /** Limit, or worst price of a market order. */
  limit: Price;
  orderType: SignedOrder["orderType"];
}
