import { z } from "zod";
import { MarketStatus } from "@/lib/schemas/markets";
import { OrderLine } from "@/lib/schemas/dashboard-orders";
import { OrderStatus, type PlaceOrderBody } from "@/lib/schemas/orders";
import { PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

const TicketHolding = z.strictObject({
  tokenId: z.string(),
  /** Shares that a new sell can use. */
  freeShares: SharesNumber,
  /** Shares that open sells reserve. */
  reservedShares: SharesNumber,
  /** Average entry price; null without shares. */
  avgPrice: PriceNumber.nullable(),
});

/** An open order of the account. The ticket takes it out of the book, because an order of the account can't fill it. */
export const OwnOrder = OrderLine.pick({
  status: true,
  action: true,
  outcome: true,
  price: true,
  shares: true,
  filledShares: true,
});

/** The account's funds and open orders for an order in one market. */
export const TicketAccount = z.strictObject({
  /** The current status: the market can have closed since the page was rendered. */
  marketStatus: MarketStatus,
  availableUsdc: UsdcNumber,
  /** The exchange's unreserved allowance; null while unknown. */
  approvedUsdc: UsdcNumber.nullable(),
  /** In the order of the market's outcomes. */
  holdings: z.tuple([TicketHolding, TicketHolding]),
  /** The account's open orders in the market. */
  orders: z.array(OwnOrder),
  /** Whether the user has placed an order before: the first one is always reviewed. */
  hasOrdered: z.boolean(),
  /** Whether a freeze of the account or the user refuses every order. */
  isFrozen: z.boolean(),
  /** The fees of the service's builder code, in hundredths of a percent; missing without one. */
  builderFees: z.strictObject({ takerBps: z.int(), makerBps: z.int() }).optional(),
});
export type TicketAccountWire = z.input<typeof TicketAccount>;

const BestPrice = z.strictObject({
  price: PriceNumber.nullable(),
  /** Whether only orders of the account are at the price. */
  isOwn: z.boolean(),
});

/** The market of an open order, and what an edit does to the account. */
export const EditEffect = z.strictObject({
  bid: BestPrice,
  ask: BestPrice,
  filled: SharesNumber,
  open: SharesNumber,
  /** Figures as they are shown; private ones can be masked. */
  rows: z.array(z.strictObject({ label: z.string(), value: z.string(), isPrivate: z.boolean() })),
  /** Why the account can't pay for the changed order. */
  problem: z.string().nullable(),
});

/** The state of an order, looked up by its idempotency key. */
export const PlacementState = z.discriminatedUnion("state", [
  /** No order with this key has reached the service. */
  z.strictObject({ state: z.literal("none") }),
  /** The order is recorded, and the venue's response is outstanding. */
  z.strictObject({ state: z.literal("unknown"), orderId: z.string() }),
  z.strictObject({ state: z.literal("accepted"), orderId: z.string(), status: OrderStatus }),
  z.strictObject({ state: z.literal("refused"), orderId: z.string(), message: z.string() }),
]);
export type PlacementStateWire = z.input<typeof PlacementState>;

/** An order as the ticket sends it. */
export type TicketOrderInput = z.input<typeof PlaceOrderBody> & { idempotencyKey: string };

/** The response to an order from the ticket. */
export type PlaceResult =
  | { outcome: "accepted"; orderId: string }
  /** The order isn't open and never will be. */
  | { outcome: "refused"; code: string; message: string }
  /** The order may have arrived. A retry must use the same key. */
  | { outcome: "unknown" };
