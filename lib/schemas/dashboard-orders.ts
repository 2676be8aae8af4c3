import { z } from "zod";
import { OrderRecord } from "@/lib/schemas/orders";
import { PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

/**
 * The fields in every list of orders. Open orders can fill hundreds of rows, which have no other fields:
 * they name their market by its id.
 */
const ListedOrder = z.strictObject({
  ...OrderRecord.pick({
    id: true,
    status: true,
    action: true,
    type: true,
    marketId: true,
    price: true,
    shares: true,
    amount: true,
    timeInForce: true,
    expiresAt: true,
    postOnly: true,
    filledShares: true,
    origin: true,
    idempotencyKey: true,
    createdAt: true,
  }).shape,
  /** The outcome's name: Yes, or a team's. */
  outcome: z.string(),
  /**
   * The value of an open order's unfilled part: what a buy reserves, or the least that a sell brings.
   * Null for a sell at any price.
   */
  openValue: UsdcNumber.nullable(),
  /** Whether the order can be canceled: it is at the exchange, or waits for approval. */
  isLive: z.boolean(),
});

/** An open or closed order on the dashboard, with its market's title. */
export const OrderLine = ListedOrder.extend({
  ...OrderRecord.pick({ side: true, avgFillPrice: true, fee: true, updatedAt: true }).shape,
  marketTitle: z.string(),
  marketSlug: z.string(),
  iconUrl: z.string(),
  tickSize: z.string(),
  /** Filled value, without the fee. */
  value: UsdcNumber,
  /** The USDC that an open buy reserves; 0 for a sell, which reserves shares. */
  reserved: UsdcNumber,
});

/** The funds that canceling would release. */
const OrderTotals = z.strictObject({
  count: z.int(),
  /** How many of them wait for approval, and so are in no book. */
  waiting: z.int(),
  /** The unfilled value of the buys at their limits. */
  buys: UsdcNumber,
  /** The unfilled shares of the sells. */
  sells: SharesNumber,
});

const AT_MARKET = {
  /** The best price on the other side of the book: the ask for a buy, the bid for a sell. Null if the order is closed. */
  marketPrice: PriceNumber.nullable(),
};

/** A row of the list of open orders, with the price that would fill the order now. */
export const OpenOrderLine = ListedOrder.extend(AT_MARKET);

/** An order with the price that would fill it now, while it is open. */
export const OrderLineAtMarket = OrderLine.extend(AT_MARKET);

export const OpenOrdersView = z.strictObject({
  /** The newest orders that match the filters, up to the wanted number. */
  orders: z.array(OpenOrderLine),
  /** Whether more orders match the filters than are listed. */
  isCut: z.boolean(),
  /** Totals of all open orders, or of those in the filtered market. */
  totals: OrderTotals,
  /** All markets with open orders, also those that the filters leave out. */
  markets: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      slug: z.string(),
      iconUrl: z.string(),
      tickSize: z.string(),
      totals: OrderTotals,
    }),
  ),
});

/** An order with the order that replaced it. */
export const EditedOrderLine = OrderLine.extend({
  /** The id of the order that replaced it, or null. */
  replacedBy: z.string().nullable(),
});

/** A closed order with the reason of its rejection. */
export const ClosedOrderLine = EditedOrderLine.extend({
  rejection: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
});

export const OrderHistoryPage = z.strictObject({
  orders: z.array(ClosedOrderLine),
  nextCursor: z.string().nullable(),
});

/** An order that an edit links with another one, and its terms. */
const LinkedOrder = z.strictObject({
  orderId: z.string(),
  price: PriceNumber,
  shares: SharesNumber,
});

/** An order with everything that its page and its drawer show. */
export const OrderDetails = z.strictObject({
  record: OrderRecord,
  line: OrderLineAtMarket,
  /** The names of the account's API keys, by id. */
  keyNames: z.record(z.string(), z.string()),
  /** The order that replaced it, or null. */
  replacedBy: LinkedOrder.nullable(),
  /** The order that it was placed to replace, or null. */
  replaces: LinkedOrder.nullable(),
  /** A command that reads its record. */
  curl: z.string(),
});
