import "server-only";
import type { HouseLevel } from "@/lib/domain/matching";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import type { RemoteMarket } from "@/lib/polymarket/markets";
import type { Price } from "@/lib/units";
import type { MarketState, PricePoint } from "@/lib/venue/port";

/** A market of the exchange: from the built-in catalogue or from the live venue. */
export type ExchangeMarket = PaperMarket | RemoteMarket;

/** The house quotes of a market: liquidity that belongs to no user of this service. */
export interface Ladder {
  /** The displayed levels, before users took from them. */
  levels: readonly HouseLevel[];
  /** Shares taken in these epochs, both ends included, are subtracted from the levels. */
  epochs: { from: number; to: number };
}

interface TimeRange {
  from: number;
  to: number;
  stepMs: number;
}

/** State and prices of one market. Instants are in milliseconds, prices are of the first token. */
export interface MarketData {
  getState(at: number): MarketState;
  /** Whether the market will never trade again. Its open orders are canceled then. */
  hasEnded(at: number): boolean;
  /** The payout of a share of the first token; null until it is final. The second pays the rest. */
  getFirstPayout(at: number): Price | null;
  /** Null without quotes that are fresh enough to trade on. Never waits for a network. */
  getLadder(at: number): Ladder | null;
  /** The epoch that records what is taken at an instant. */
  getTakenEpoch(at: number): number;
  /** The last trade at the live venue; null for a market that only this exchange trades. */
  getLastTrade(at: number): Price | null;
  /** The price to show without quotes and trades. */
  getFallbackPrice(at: number): Price;
  getHistory(range: TimeRange): Promise<PricePoint[]>;
}

/** Lists and finds the markets that new orders can trade. */
export interface MarketListing {
  list(): Promise<readonly ExchangeMarket[]>;
  /** Finds markets by search text or event that `list` may not contain; none if it lists all. */
  findUnlisted(by: "search" | "event", text: string): Promise<readonly ExchangeMarket[]>;
  /** Finds a market by condition id or slug. */
  find(idOrSlug: string): Promise<ExchangeMarket | null>;
  findByToken(tokenId: string): Promise<ExchangeMarket | null>;
  /** Returns the markets that are available now, by condition id. Never fails. */
  findKnown(ids: readonly string[]): Promise<Map<string, ExchangeMarket>>;
  /** Returns known prices of first tokens at an instant, by market id. */
  getPastPrices(markets: readonly ExchangeMarket[], at: number): Promise<Map<string, Price>>;
  /**
   * Fetches quotes that are older than `maxAgeMs`. Called before a transaction, because a transaction
   * must not wait for a network.
   *
   * @throws an AppError with an UPSTREAM_ code if the quotes can't be fetched.
   */
  refresh(markets: readonly ExchangeMarket[], maxAgeMs: number): Promise<void>;
}
