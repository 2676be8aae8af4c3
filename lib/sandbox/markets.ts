import "server-only";
import { getDb } from "@/lib/db/client";
import { selectLastFill } from "@/lib/db/queries/sandbox-events";
import type { FillRow } from "@/lib/db/rows";
import { type Action, toBookPrice, type OutcomeIndex } from "@/lib/domain/settlement";
import { toHouseTaker, toOutcomeSide } from "@/lib/domain/trade-tape";
import { SandboxError } from "@/lib/sandbox/error";
import { readClobOffset, toClobPage } from "@/lib/sandbox/pages";
import { type Asker, readInTurn } from "@/lib/sandbox/turns";
import { complement, formatMicro, microToNumber, type Price } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

const MARKETS_PER_PAGE = 100;

export interface TokenOfMarket {
  market: Market;
  outcome: OutcomeIndex;
}

/** Finds the market of a token. Throws the venue's refusals, `missing` for an unknown token. */
export async function requireToken(
  tokenId: string | null,
  missing = "market not found",
): Promise<TokenOfMarket> {
  if (!/^\d{1,78}$/.test(tokenId ?? "")) throw new SandboxError(400, "Invalid token id");
  const found = await paperExchange().findMarketByToken(tokenId ?? "");
  if (!found) throw new SandboxError(404, missing);
  return found;
}

/** Finds a market by its condition id. Throws the venue's refusals. */
export async function requireCondition(conditionId: string): Promise<Market> {
  // The CLOB does not know the 62 digits with which Gamma lists conditions of Protocol V2.
  if (!/^0x[0-9a-f]{62}([0-9a-f]{2})?$/.test(conditionId))
    throw new SandboxError(400, "Invalid market");
  const market = await paperExchange().findMarket(conditionId);
  if (!market) throw new SandboxError(404, "market not found");
  return market;
}

/** Serves `GET /last-trade-price`: the price and the taker's side. The venue has 0.5 before the first trade. */
export async function readLastPrice(
  token: TokenOfMarket,
): Promise<{ price: string; side: string }> {
  const last = await readLastTrade(token);
  if (last) return { price: formatMicro(last.price), side: last.side };
  return { price: "0.5", side: "" };
}

interface LastTrade {
  price: Price;
  /** The taker's side, in this token's terms. */
  side: Action;
}

/** Reads the last trade of a token's market; null before the first one. */
export async function readLastTrade(token: TokenOfMarket): Promise<LastTrade | null> {
  const fill = await selectLastFill(await getDb(), token.market.id);
  return fill && toTokenTrade(token, fill);
}

/** Converts the trade behind a fill to the terms of a token of its market. */
export function toTokenTrade({ market, outcome }: TokenOfMarket, fill: FillRow): LastTrade {
  const own = {
    action: fill.action,
    outcome: fill.tokenId === market.outcomes[0].tokenId ? 0 : 1,
    price: fill.price,
  } as const;
  const { action, price } = toOutcomeSide(outcome, fill.role === "taker" ? own : toHouseTaker(own));
  return { price, side: action };
}

/** Returns a token's mark, in the token's own terms. */
async function readMark({ market, outcome }: TokenOfMarket): Promise<Price> {
  const quotes = await paperExchange().getQuotes([market]);
  const quote = quotes.get(market.id);
  if (!quote) throw new SandboxError(404, "market not found");
  return toBookPrice(outcome, quote.mark);
}

interface MarketsCall {
  query: URLSearchParams;
  asker: Asker;
}

/** Serves `GET /markets`: every listed market, page by page. */
export function listClobMarkets(call: MarketsCall) {
  return listMarketPage(call, () => true, toClobMarket);
}

/** Serves `GET /simplified-markets`. */
export function listSimplifiedMarkets(call: MarketsCall) {
  return listMarketPage(call, () => true, toSimplifiedMarket);
}

/** Serves `GET /sampling-markets`: the markets that take orders. */
export function listSamplingMarkets(call: MarketsCall) {
  return listMarketPage(call, isOpen, toClobMarket);
}

/** Serves `GET /sampling-simplified-markets`. */
export function listSamplingSimplifiedMarkets(call: MarketsCall) {
  return listMarketPage(call, isOpen, toSimplifiedMarket);
}

const isOpen = (market: Market) => paperExchange().getState(market).status === "open";

async function listMarketPage<T>(
  { query, asker }: MarketsCall,
  isListed: (market: Market) => boolean,
  toRow: (market: Market) => Promise<T>,
) {
  const offset = readClobOffset(query);
  if (offset === null) return toClobPage([], 0, MARKETS_PER_PAGE);
  const listed = (await paperExchange().listMarkets()).filter(isListed);
  const page = listed.slice(offset, offset + MARKETS_PER_PAGE);
  return toClobPage(await readInTurn(asker, page, toRow), offset, MARKETS_PER_PAGE);
}

/** Renders a market as the CLOB's `/markets` does. */
export async function toClobMarket(market: Market) {
  const { status, winner } = paperExchange().getState(market);
  const first = await readMark({ market, outcome: 0 });
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

/** Renders a market as `/simplified-markets` does. */
async function toSimplifiedMarket(market: Market) {
  const { condition_id, rewards, tokens, active, closed, archived, accepting_orders } =
    await toClobMarket(market);
  return { condition_id, rewards, tokens, active, closed, archived, accepting_orders };
}

/** Returns the protocol that the venue names for a market. */
export const nameVersion = ({ untradable, protocol }: Market) =>
  untradable === null ? protocol : "unknown";

/** Renders a market in the short form of `/clob-markets`. */
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
    v: nameVersion(market),
  };
}
