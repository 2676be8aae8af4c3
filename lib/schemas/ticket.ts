import { z } from "zod";
import { MarketStatus } from "@/lib/schemas/markets";
import { OrderStatus, type PlaceOrderBody } from "@/lib/schemas/orders";
import { PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

const TicketHolding = z.strictObject({
  tokenId: z.string(),
  /** Shares that a new sell may use. */
  freeShares: SharesNumber,
  /** Shares that open sells hold. */
  reservedShares: SharesNumber,
  /** Average entry price; null when nothing is held. */
  avgPrice: PriceNumber.nullable(),
});

/** What the account brings to an order in one market. */
export const TicketAccount = z.strictObject({
  /** Whether the market takes orders: it may have closed since the page was rendered. */
  marketStatus: MarketStatus,
  availableUsdc: UsdcNumber,
  /** What the exchange may spend beyond what it has reserved; null while unknown. */
  approvedUsdc: UsdcNumber.nullable(),
  /** In the order of the market's outcomes. */
  holdings: z.tuple([TicketHolding, TicketHolding]),
  /** Whether the user ever placed an order: the first one is always reviewed. */
  hasOrdered: z.boolean(),
});
export type TicketAccountWire = z.input<typeof TicketAccount>;

/** What is known of an order by its idempotency key. */
export const PlacementState = z.discriminatedUnion("state", [
  /** Nothing with this key has reached the service. */
  z.strictObject({ state: z.literal("none") }),
  /** It is written down, and the venue has not said yet whether it took it. */
  z.strictObject({ state: z.literal("unknown"), orderId: z.string() }),
  z.strictObject({ state: z.literal("accepted"), orderId: z.string(), status: OrderStatus }),
  z.strictObject({ state: z.literal("refused"), orderId: z.string(), message: z.string() }),
]);
export type PlacementStateWire = z.input<typeof PlacementState>;

/** An order as the dashboard's ticket sends it. */
export type TicketOrderInput = z.input<typeof PlaceOrderBody> & { idempotencyKey: string };

/** What the ticket learns at once of the order it sent. */
export type PlaceResult =
  | { outcome: "accepted"; orderId: string }
  /** Nothing is or will be live. */
  | { outcome: "refused"; message: string }
  /** It may or may not have arrived; only the same key may be used to try again. */
  | { outcome: "unknown" };
