import "server-only";
import type { WireBook } from "@/lib/polymarket/book-hash";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError, toSandboxError } from "@/lib/sandbox/error";
import { lastTradeOf } from "@/lib/sandbox/last-trade";
import { inTurn } from "@/lib/sandbox/limits";
import {
  readWireBook,
  requireToken,
  toClobMarket,
  toSimplifiedMarket,
} from "@/lib/sandbox/markets";
import { readOrderPayload } from "@/lib/sandbox/order-payload";
import { offsetOf, toPage } from "@/lib/sandbox/pages";
import { type PlacedOrder, placeSandboxOrder } from "@/lib/sandbox/place-order";
import { bestPriceOf } from "@/lib/sandbox/quotes";
import { formatMicro } from "@/lib/units";
import { paperExchange } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

const MARKETS_PER_PAGE = 100;

interface Wanted {
  token_id: string;
  side?: "BUY" | "SELL" | undefined;
}

/** `POST /orders`: each leg by itself, in the order sent; a refused one says why. */
export async function placeBatch(
  caller: SandboxCaller,
  legs: readonly unknown[],
): Promise<PlacedOrder[]> {
  const placed: PlacedOrder[] = [];
  for (const leg of legs) placed.push(await placeLeg(caller, leg, placed.length === 0));
  return placed;
}

/** What fails for our part fails the whole batch only while none of its legs can be placed. */
async function placeLeg(
  caller: SandboxCaller,
  leg: unknown,
  isFirst: boolean,
): Promise<PlacedOrder> {
  try {
    return await placeSandboxOrder(caller, readOrderPayload(leg));
  } catch (error) {
    if (isFirst && !(error instanceof SandboxError)) throw error;
    const nothing = { orderID: "", status: "", makingAmount: "", takingAmount: "" };
    return { success: false, errorMsg: toSandboxError(error, "POST").message, ...nothing };
  }
}

/** `POST /books`: tokens without a book are left out. */
export async function readWireBooks(wanted: readonly Wanted[]): Promise<WireBook[]> {
  const books = await inTurn(wanted, ({ token_id }) => orNull(() => readWireBook(token_id)));
  return books.filter((book) => book !== null);
}

/** `POST /prices`: token, side, price. */
export async function readPrices(
  wanted: readonly Wanted[],
): Promise<Record<string, Record<string, string>>> {
  const prices: Record<string, Record<string, string>> = {};
  await inTurn(wanted, async ({ token_id, side }) => {
    const found = await orNull(() => bestPriceOf(token_id, side ?? null));
    if (found !== null && side) prices[token_id] = { ...prices[token_id], [side]: found };
  });
  return prices;
}

/** `POST /midpoints` and `/spreads`: one figure by token. */
export async function byToken(
  wanted: readonly Wanted[],
  read: (tokenId: string) => Promise<string>,
): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  await inTurn(wanted, async ({ token_id }) => {
    const found = await orNull(() => read(token_id));
    if (found !== null) entries.push([token_id, found]);
  });
  return Object.fromEntries(entries);
}

/** `POST /last-trades-prices`: tokens that nobody traded are left out. */
export async function readLastPrices(wanted: readonly Wanted[]) {
  const prices = await inTurn(wanted, async ({ token_id }) => {
    const last = await orNull(async () => lastTradeOf(await requireToken(token_id)));
    return last && { token_id, price: formatMicro(last.price), side: last.side };
  });
  return prices.filter((price) => price !== null);
}

/** `GET /markets`: everything that is listed, page by page. */
export function listClobMarkets(query: URLSearchParams) {
  return marketPage(query, () => true, toClobMarket);
}

/** `GET /simplified-markets`. */
export function listSimplifiedMarkets(query: URLSearchParams) {
  return marketPage(query, () => true, toSimplifiedMarket);
}

/** `GET /sampling-markets`: those that take orders. */
export function listSamplingMarkets(query: URLSearchParams) {
  return marketPage(query, isOpen, toClobMarket);
}

/** `GET /sampling-simplified-markets`. */
export function listSamplingSimplifiedMarkets(query: URLSearchParams) {
  return marketPage(query, isOpen, toSimplifiedMarket);
}

const isOpen = (market: Market) => paperExchange().getState(market).status === "open";

async function marketPage<T>(
  query: URLSearchParams,
  isListed: (market: Market) => boolean,
  show: (market: Market) => Promise<T>,
) {
  const offset = offsetOf(query);
  if (offset === null) return toPage([], 0, MARKETS_PER_PAGE);
  const listed = (await paperExchange().listMarkets()).filter(isListed);
  const page = listed.slice(offset, offset + MARKETS_PER_PAGE);
  return toPage(await inTurn(page, show), offset, MARKETS_PER_PAGE);
}

/** Null for what the venue would not find. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SandboxError) return null;
    throw error;
  }
}
