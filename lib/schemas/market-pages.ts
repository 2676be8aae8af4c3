import { z } from "zod";
import { Position } from "@/lib/schemas/account";
import { OrderLine } from "@/lib/schemas/dashboard-orders";
import { Fill } from "@/lib/schemas/orders";
import { MarketStatus, OrderBook } from "@/lib/schemas/markets";
import { Instant, PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

/** A market in a row of the markets page, or of an event on the market's page. */
export const MarketLine = z.strictObject({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  /** The label that distinguishes it from the event's other markets. */
  label: z.string().nullable(),
  tickSize: z.string(),
  status: MarketStatus,
  /** Why the market can't be traded here, even if its venue trades it; null if it can. */
  untradableReason: z.string().nullable(),
  /** Name of the winning outcome once resolved. */
  winner: z.string().nullable(),
  /** Price of the first outcome. */
  chance: PriceNumber,
  /** The change since a day ago; null if the market wasn't open then. */
  change: PriceNumber.nullable(),
  /** Whether it opened less than a day ago. */
  isNew: z.boolean(),
  outcomes: z.array(
    z.strictObject({ name: z.string(), tokenId: z.string(), ask: PriceNumber.nullable() }),
  ),
});

/** An event of the markets page: one market, or several that belong together. */
export const MarketGroup = z.strictObject({
  eventSlug: z.string(),
  title: z.string(),
  category: z.string(),
  icon: z.string(),
  status: MarketStatus,
  /** Set if none of its markets can be traded here. */
  untradableReason: z.string().nullable(),
  closesAt: Instant,
  isWatched: z.boolean(),
  marketIds: z.array(z.string()),
  /** The value of all trades in its markets so far; null if the venue doesn't say. */
  volume: UsdcNumber.nullable(),
  /** The money of all resting orders in its open markets; null if it is not known. */
  liquidity: UsdcNumber.nullable(),
  /** The markets that the row shows, likeliest first. */
  markets: z.array(MarketLine),
  /** The number of markets that the row doesn't show. */
  hidden: z.int(),
});

export const MarketBrowse = z.strictObject({
  groups: z.array(MarketGroup),
  /** The number of matching events, including those on later pages. */
  total: z.int(),
  /** All categories, in alphabetical order. */
  categories: z.array(z.string()),
});

/** The live data of a market's page for one outcome. */
export const LiveBook = z.strictObject({
  book: OrderBook,
  status: MarketStatus,
  /** The price shown as the outcome's chance. */
  mark: PriceNumber,
  lastPrice: PriceNumber.nullable(),
});

/** A trade on the public tape, from the taker's side. */
export const TapeTrade = z.strictObject({
  id: z.string(),
  at: Instant,
  action: z.enum(["BUY", "SELL"]),
  outcome: z.string(),
  price: PriceNumber,
  shares: SharesNumber,
  value: UsdcNumber,
});

export const LiveMarket = z.strictObject({
  live: LiveBook,
  /** The last trades of this service's users, newest first. */
  trades: z.array(TapeTrade),
});

/** What the account has in a market. */
export const OwnMarket = z.strictObject({
  /** Its positions; null while the venue can't say. */
  positions: z.array(Position).nullable(),
  orders: z.array(OrderLine),
  /** The newest fills, newest first. */
  fills: z.array(Fill),
});

/** The header of a market's page. */
export const MarketHeader = z.strictObject({
  isWatched: z.boolean(),
  /** The shown outcome's change since a day ago; null if the market wasn't open then. */
  change: PriceNumber.nullable(),
  /** The value of all trades so far; null if the venue doesn't say. */
  volume: UsdcNumber.nullable(),
  /** The money of all resting orders; null if the venue gives no figure. */
  liquidity: UsdcNumber.nullable(),
  /** The markets of its event, likeliest first; empty if it is the only one. */
  event: z.array(MarketLine),
});
