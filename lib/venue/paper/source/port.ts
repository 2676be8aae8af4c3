import "server-only";
import type { HouseLevel } from "@/lib/domain/matching";
import type { Price } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";
import type { RemoteMarket } from "@/lib/venue/polymarket/markets";
import type { MarketState, PricePoint } from "@/lib/venue/port";

/** A market of the exchange: of the built-in catalogue, or one that Polymarket has. */
export type ExchangeMarket = PaperMarket | RemoteMarket;

/** Quotes that stand outside of our own users' orders. */
export interface Ladder {
  /** As displayed, before anything was taken from them here. */
  levels: readonly HouseLevel[];
  /** What was taken under these epochs, both ends included, is missing from the levels. */
  epochs: { from: number; to: number };
}

interface TimeRange {
  from: number;
  to: number;
  stepMs: number;
}

/** What the exchange asks about a market of the place that the market comes from. */
export interface Origin {
  getState(at: number): MarketState;
  /** It will never trade again, so that what rests in it ends. */
  hasEnded(at: number): boolean;
  /** What a share of the first token pays; null until that is certain. The second pays the rest. */
  getFirstPayout(at: number): Price | null;
  /** Null while nothing is known that is fresh enough to trade on. Never waits for a network. */
  getLadder(at: number): Ladder | null;
  /** The epoch under which what is taken at an instant is remembered. */
  takingEpoch(at: number): number;
  /** The last trade elsewhere; null where only this exchange trades the market. */
  getLastTrade(at: number): Price | null;
  /** What is shown while neither quotes nor a trade tell a price. */
  getFallbackPrice(at: number): Price;
  /** Prices of the first token. */
  getHistory(range: TimeRange): Promise<PricePoint[]>;
}

/** Where the markets come from that are listed and newly traded. */
export interface Listing {
  list(): Promise<readonly ExchangeMarket[]>;
  /** Markets that meet a search, or are of an event, and need not be listed; none where all are. */
  findUnlisted(by: "search" | "event", text: string): Promise<readonly ExchangeMarket[]>;
  /** By condition id or slug. */
  find(idOrSlug: string): Promise<ExchangeMarket | null>;
  findByToken(tokenId: string): Promise<ExchangeMarket | null>;
  /** Those of some condition ids that it can describe now. Never fails: the rest is on record. */
  findKnown(ids: readonly string[]): Promise<Map<string, ExchangeMarket>>;
  /** Prices of first tokens at an instant, by market id, of those that it knows them of. */
  getPastPrices(markets: readonly ExchangeMarket[], at: number): Promise<Map<string, Price>>;
  /**
   * Fetches what ladders need, none older than so many milliseconds. Called before a transaction,
   * because nothing within one may wait for a network. Throws the 502 that says why it cannot.
   */
  refresh(markets: readonly ExchangeMarket[], maxAgeMs: number): Promise<void>;
}
