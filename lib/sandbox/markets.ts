import "server-only";
import { bookPriceOf, type OutcomeIndex } from "@/lib/domain/settlement";
import { type HashedBook, type WireBook, withHash } from "@/lib/polymarket/book-hash";
import { SCOPES, type Principal } from "@/lib/auth/principal";
import { SandboxError } from "@/lib/sandbox/error";
import { lastTradeOf } from "@/lib/sandbox/last-trade";
import { getBook } from "@/lib/services/markets/get-book";
import { complement, formatMicro, microToNumber, type Price, type Shares } from "@/lib/units";
import { paperExchange } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

/** Market data belongs to nobody; the services ask for a principal all the same. */
const NOBODY: Principal = { userId: "", mode: "paper", keyId: null, scopes: SCOPES };

export interface TokenOfMarket {
  market: Market;
  outcome: OutcomeIndex;
}

/** The market of a token. Throws the venue's own refusals. */
export async function requireToken(tokenId: string | null): Promise<TokenOfMarket> {
  if (!/^\d{1,78}$/.test(tokenId ?? "")) throw new SandboxError(400, "Invalid token id");
  const found = await paperExchange().findMarketByToken(tokenId ?? "");
  if (!found) throw new SandboxError(404, "market not found");
  return found;
}

export async function requireCondition(conditionId: string): Promise<Market> {
  if (!/^0x[0-9a-f]{64}$/.test(conditionId)) throw new SandboxError(400, "Invalid market");
  const market = await paperExchange().findMarket(conditionId);
  if (!market) throw new SandboxError(404, "market not found");
  return market;
}

/** The book of a token as it goes over the wire: worst level first, with its hash. */
export async function readWireBook(tokenId: string | null): Promise<HashedBook> {
  const token = await requireToken(tokenId);
  const levels = await readWireLevels(token);
  if (levels) return toWireBook(token, levels);
  throw new SandboxError(404, "No orderbook exists for the requested token id");
}

export type WireLevels = Pick<WireBook, "timestamp" | "bids" | "asks">;

/** What stands in a token's book, worst first; null once its market takes no orders. */
export async function readWireLevels({
  market,
  outcome,
}: TokenOfMarket): Promise<WireLevels | null> {
  if (paperExchange().getState(market).status !== "open") return null;
  const book = await getBook(NOBODY, market.id, market.outcomes[outcome].tokenId);
  const level = ({ price, shares }: { price: Price; shares: Shares }) => ({
    price: formatMicro(price),
    size: formatMicro(shares),
  });
  return {
    timestamp: String(book.at.getTime()),
    bids: book.bids.map(level).toReversed(),
    asks: book.asks.map(level).toReversed(),
  };
}

/** Levels with all that the venue says beside them. */
export async function toWireBook(token: TokenOfMarket, levels: WireLevels): Promise<HashedBook> {
  const { market, outcome } = token;
  const wire: WireBook = {
    market: market.id,
    asset_id: market.outcomes[outcome].tokenId,
    ...levels,
    min_order_size: formatMicro(market.minOrderShares),
    tick_size: formatMicro(market.tick),
    neg_risk: market.isNegRisk,
    last_trade_price: (await lastPriceOf(token)).price,
  };
  return withHash(wire);
}

/** What a token last traded at and who took it; while nobody traded it, its mark and no side. */
export async function lastPriceOf(token: TokenOfMarket): Promise<{ price: string; side: string }> {
  const last = await lastTradeOf(token);
  if (last) return { price: formatMicro(last.price), side: last.side };
  return { price: formatMicro(await markOf(token)), side: "" };
}

/** The price a token is shown at, in its own terms. */
async function markOf({ market, outcome }: TokenOfMarket): Promise<Price> {
  const quotes = await paperExchange().getQuotes([market]);
  const quote = quotes.get(market.id);
  if (!quote) throw new SandboxError(404, "market not found");
  return bookPriceOf(outcome, quote.mark);
}

/** A market as `/markets` of the CLOB shows it. */
export async function toClobMarket(market: Market) {
  const { status, winner } = paperExchange().getState(market);
  const first = await markOf({ market, outcome: 0 });
  const prices = [first, complement(first)];
  return {
    enable_order_book: true,
    active: true,
    closed: status !== "open",
    archived: false,
    accepting_orders: status === "open",
    accepting_order_timestamp: new Date(market.opensAt).toISOString(),
    minimum_order_size: microToNumber(market.minOrderShares),
    minimum_tick_size: microToNumber(market.tick),
    condition_id: market.id,
    question_id: market.id,
    question: market.title,
    description: market.rules,
    market_slug: market.slug,
    end_date_iso: new Date(market.closesAt).toISOString(),
    game_start_time: null,
    seconds_delay: 0,
    fpmm: "",
    maker_base_fee: 0,
    taker_base_fee: 0,
    notifications_enabled: false,
    neg_risk: market.isNegRisk,
    neg_risk_market_id: "",
    neg_risk_request_id: "",
    icon: "",
    image: "",
    rewards: { rates: null, min_size: 0, max_spread: 0 },
    is_50_50_outcome: false,
    tokens: market.outcomes.map(({ name, tokenId }, index) => ({
      token_id: tokenId,
      outcome: name,
      price: microToNumber(prices[index] ?? 0n),
      winner: winner === index,
    })),
    tags: [market.category],
  };
}

/** A market as `/simplified-markets` shows it. */
export async function toSimplifiedMarket(market: Market) {
  const { condition_id, rewards, tokens, active, closed, archived, accepting_orders } =
    await toClobMarket(market);
  return { condition_id, rewards, tokens, active, closed, archived, accepting_orders };
}

/** A market as `/clob-markets` abbreviates it. */
export function toCompactMarket(market: Market) {
  const rate = microToNumber(market.feeRate);
  return {
    c: market.id,
    t: market.outcomes.map(({ tokenId, name }) => ({ t: tokenId, o: name })),
    mts: microToNumber(market.tick),
    mos: microToNumber(market.minOrderShares),
    ...(market.isNegRisk ? { nr: true } : {}),
    ...(rate > 0 ? { fd: { r: rate, e: 1, to: true } } : {}),
    mbf: 0,
    tbf: 0,
    ao: paperExchange().getState(market).status === "open",
  };
}
