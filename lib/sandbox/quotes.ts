import "server-only";
import { nullIfRefused, SandboxError } from "@/lib/sandbox/error";
import { readLastTrade, requireToken } from "@/lib/sandbox/markets";
import { type Asker, readInTurn } from "@/lib/sandbox/turns";
import { divide, formatMicro, parseMicro } from "@/lib/units";
import { NO_BOOK, readWireBook, type Tokens } from "@/lib/sandbox/books";

/** Reads the best price of a side: the best bid for BUY, the best ask for SELL. */
export async function readBestPrice(tokenId: string | null, side: string | null): Promise<string> {
  if (side !== "BUY" && side !== "SELL") throw new SandboxError(400, "Invalid side");
  const book = await readWireBook(tokenId);
  return (side === "BUY" ? book.bids : book.asks).at(-1)?.price ?? "0";
}

/** Reads a token's midpoint. */
export async function readMidpoint(tokenId: string | null): Promise<string> {
  const { bid, ask } = await readBest(tokenId);
  return formatMicro(divide(bid + ask, 2n, "down"));
}

/** Reads a token's spread. */
export async function readSpread(tokenId: string | null): Promise<string> {
  const { bid, ask } = await readBest(tokenId);
  return formatMicro(ask - bid);
}

/** Serves `POST /prices`: prices by token and side. */
export async function readPrices(
  asker: Asker,
  tokens: Tokens,
): Promise<Record<string, Record<string, string>>> {
  const prices: Record<string, Record<string, string>> = {};
  await readInTurn(asker, tokens, async ({ token_id, side }) => {
    const found = await nullIfRefused(() => readBestPrice(token_id, side ?? null));
    if (found !== null && side) prices[token_id] = { ...prices[token_id], [side]: found };
  });
  return prices;
}

/** Serves `POST /midpoints` and `POST /spreads`: one figure by token. */
export async function readByToken(
  asker: Asker,
  tokens: Tokens,
  read: (tokenId: string) => Promise<string>,
): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  await readInTurn(asker, tokens, async ({ token_id }) => {
    const found = await nullIfRefused(() => read(token_id));
    if (found !== null) entries.push([token_id, found]);
  });
  return Object.fromEntries(entries);
}

/** Serves `POST /last-trades-prices`. Leaves out tokens without a trade. */
export async function readLastPrices(asker: Asker, tokens: Tokens) {
  const prices = await readInTurn(asker, tokens, async ({ token_id }) => {
    const last = await nullIfRefused(async () => readLastTrade(await requireToken(token_id)));
    return last && { token_id, price: formatMicro(last.price), side: last.side };
  });
  return prices.filter((price) => price !== null);
}

async function readBest(tokenId: string | null): Promise<{ bid: bigint; ask: bigint }> {
  const book = await readWireBook(tokenId);
  const [bid, ask] = [book.bids.at(-1), book.asks.at(-1)];
  if (!bid || !ask) throw new SandboxError(404, NO_BOOK);
  return { bid: toMicro(bid.price), ask: toMicro(ask.price) };
}

function toMicro(text: string): bigint {
  const parsed = parseMicro(text);
  if (!parsed.ok) throw new Error(`"${text}" is not a decimal`);
  return parsed.micro;
}
