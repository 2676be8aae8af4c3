import "server-only";
import { z } from "zod";
import { SCOPES, type Principal } from "@/lib/auth/principal";
import { getBook } from "@/lib/markets/get-book";
import { type HashedBook, type WireBook, addBookHash } from "@/lib/polymarket/protocol/book-hash";
import { nullIfRefused, SandboxError } from "@/lib/sandbox/error";
import { readLastTrade, requireToken, type TokenOfMarket } from "@/lib/sandbox/markets";
import { readJsonBody } from "@/lib/sandbox/order-payload";
import { type Asker, readInTurn } from "@/lib/sandbox/turns";
import { formatMicro, type Price, type Shares } from "@/lib/units";
import { paperExchange } from "@/lib/venues";

/** Market data is public, but the use cases take a principal. */
const ANONYMOUS: Principal = { userId: "", mode: "paper", keyId: null, scopes: SCOPES };
const MAX_TOKENS = 500;
export const NO_BOOK = "No orderbook exists for the requested token id";
/** The venue writes the last price of a book with at least this many decimals. */
const LAST_PRICE_DECIMALS = 3;

/** Reads a token's book as it goes over the wire: worst level first, with its hash. */
export async function readWireBook(tokenId: string | null): Promise<HashedBook> {
  const token = await requireToken(tokenId, NO_BOOK);
  const levels = await readWireLevels(token);
  if (levels) return toWireBook(token, levels);
  throw new SandboxError(404, NO_BOOK);
}

export type WireLevels = Pick<WireBook, "timestamp" | "bids" | "asks">;

/** Reads the levels of a token's book, worst first; null once its market takes no orders. */
export async function readWireLevels({
  market,
  outcome,
}: TokenOfMarket): Promise<WireLevels | null> {
  if (paperExchange().getState(market).status !== "open") return null;
  const book = await getBook(ANONYMOUS, market.id, market.outcomes[outcome].tokenId);
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

/** Adds the market's terms, the last price and the hash to a book's levels. */
export async function toWireBook(token: TokenOfMarket, levels: WireLevels): Promise<HashedBook> {
  const { market, outcome } = token;
  const wire: WireBook = {
    market: market.id,
    asset_id: market.outcomes[outcome].tokenId,
    ...levels,
    min_order_size: formatMicro(market.minOrderShares),
    tick_size: formatMicro(market.tick),
    neg_risk: market.isNegRisk,
    last_trade_price: formatLastPrice(await readLastTrade(token)),
    ...(market.protocol === "v2" ? { version: "v2" as const } : {}),
  };
  return addBookHash(wire);
}

/** Formats the last price as in a recorded book: "0.430", or empty before the first trade. */
function formatLastPrice(last: { price: Price } | null): string {
  if (last === null) return "";
  const [whole = "", decimals = ""] = formatMicro(last.price).split(".");
  return `${whole}.${decimals.padEnd(LAST_PRICE_DECIMALS, "0")}`;
}

const Tokens = z.array(
  z.object({ token_id: z.string(), side: z.enum(["BUY", "SELL"]).optional() }),
);

export type Tokens = z.output<typeof Tokens>;

/** Reads the distinct tokens of a plural request. Throws the venue's refusals. */
export function readTokens(body: string): Tokens {
  const parsed = Tokens.safeParse(readJsonBody(body, "Invalid payload"));
  if (!parsed.success) throw new SandboxError(400, "Invalid payload");
  if (parsed.data.length > MAX_TOKENS) throw new SandboxError(400, "Payload exceeds the limit");
  const seen = new Set<string>();
  return parsed.data.filter(({ token_id, side = "" }) => {
    const isNew = !seen.has(`${token_id}/${side}`);
    seen.add(`${token_id}/${side}`);
    return isNew;
  });
}

/** Serves `POST /books`. Leaves out tokens without a book. */
export async function readWireBooks(asker: Asker, tokens: Tokens): Promise<WireBook[]> {
  const books = await readInTurn(asker, tokens, ({ token_id }) =>
    nullIfRefused(() => readWireBook(token_id)),
  );
  return books.filter((book) => book !== null);
}
