import { z } from "zod";
import { MarketStatus, OrderBook } from "@/lib/schemas/markets";
import { Instant, PriceNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

/** A market in a row of the markets page. */
export const MarketLine = z.strictObject({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  /** What tells it from its event's other markets. */
  label: z.string().nullable(),
  tickSize: z.string(),
  status: MarketStatus,
  /** Name of the winning outcome once resolved. */
  winner: z.string().nullable(),
  /** Price of the first outcome. */
  chance: PriceNumber,
  /** Against the price a day ago; null when it was not open then. */
  change: PriceNumber.nullable(),
  spread: PriceNumber.nullable(),
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
  closesAt: Instant,
  isWatched: z.boolean(),
  marketIds: z.array(z.string()),
  /** Those shown: the likeliest first. */
  markets: z.array(MarketLine),
  /** How many more the event has. */
  hidden: z.int(),
});

export const MarketBrowse = z.strictObject({
  groups: z.array(MarketGroup),
  /** Events that match, shown or not. */
  total: z.int(),
  /** Of everything that is listed, in alphabetical order. */
  categories: z.array(z.string()),
});

/** An order of the account that rests in a market's book. */
export const RestingOwnOrder = z.strictObject({
  id: z.string(),
  tokenId: z.string(),
  action: z.enum(["BUY", "SELL"]),
  price: PriceNumber,
  /** What is left of it. */
  shares: SharesNumber,
});

/** What moves on a market's page, for one of its outcomes. */
export const LiveBook = z.strictObject({
  book: OrderBook,
  status: MarketStatus,
  /** The price shown as the outcome's chance. */
  mark: PriceNumber,
  lastPrice: PriceNumber.nullable(),
});

export const LiveMarket = z.strictObject({
  live: LiveBook,
  orders: z.array(RestingOwnOrder),
});

/** A trade on the public tape, as its taker made it. */
export const TapeTrade = z.strictObject({
  id: z.string(),
  at: Instant,
  action: z.enum(["BUY", "SELL"]),
  outcome: z.string(),
  price: PriceNumber,
  shares: SharesNumber,
  value: UsdcNumber,
});

/** Another market of the same event. */
const MarketSibling = z.strictObject({
  slug: z.string(),
  label: z.string(),
  chance: PriceNumber,
});

/** What stands at the top of a market's page. */
export const MarketHeader = z.strictObject({
  isWatched: z.boolean(),
  /** Of the outcome that is looked at, against a day ago; null when it was not open then. */
  change: PriceNumber.nullable(),
  siblings: z.array(MarketSibling),
});
