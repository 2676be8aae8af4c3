import "server-only";
import { z } from "zod";
import { bookPriceOf } from "@/lib/domain/settlement";
import { SandboxError } from "@/lib/sandbox/error";
import { readWireBook, requireToken } from "@/lib/sandbox/markets";
import { readJsonBody } from "@/lib/sandbox/order-payload";
import { divide, formatMicro, microToNumber, parseMicro } from "@/lib/units";
import { paperExchange } from "@/lib/venue";

const MAX_TOKENS = 500;
const HOUR_S = 3_600;
const INTERVAL_S: Record<string, number> = {
  "1h": HOUR_S,
  "6h": 6 * HOUR_S,
  "1d": 24 * HOUR_S,
  "1w": 7 * 24 * HOUR_S,
  "1m": 30 * 24 * HOUR_S,
  max: 365 * 24 * HOUR_S,
  all: 365 * 24 * HOUR_S,
};
const MAX_POINTS = 2_000;

const Tokens = z.array(
  z.object({ token_id: z.string(), side: z.enum(["BUY", "SELL"]).optional() }),
);

/** The tokens of a plural request. Throws the venue's refusals. */
export function readTokens(body: string): z.output<typeof Tokens> {
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

/** The best price of a side: where BUY orders stand, or SELL orders. */
export async function bestPriceOf(tokenId: string | null, side: string | null): Promise<string> {
  if (side !== "BUY" && side !== "SELL") throw new SandboxError(400, "Invalid side");
  const book = await readWireBook(tokenId);
  return (side === "BUY" ? book.bids : book.asks).at(-1)?.price ?? "0";
}

export async function midpointOf(tokenId: string | null): Promise<string> {
  const { bid, ask } = await bestOf(tokenId);
  return formatMicro(divide(bid + ask, 2n, "down"));
}

export async function spreadOf(tokenId: string | null): Promise<string> {
  const { bid, ask } = await bestOf(tokenId);
  return formatMicro(ask - bid);
}

/** `GET /prices-history`: its `market` parameter is a token. */
export async function historyOf(query: URLSearchParams) {
  const { market, outcome } = await requireToken(query.get("market"));
  const { from, to } = rangeOf(query);
  const minutes = Number(query.get("fidelity") ?? "1");
  const fidelityMs = Math.max(1, Number.isFinite(minutes) ? minutes : 1) * 60_000;
  const stepMs = Math.max(fidelityMs, Math.ceil((to - from) / MAX_POINTS));
  const points = await paperExchange().getHistory(market, from, to, stepMs);
  return {
    history: points.map(({ at, price }) => ({
      t: Math.floor(at / 1000),
      p: microToNumber(bookPriceOf(outcome, price)),
    })),
  };
}

function rangeOf(query: URLSearchParams): { from: number; to: number } {
  const at = paperExchange().now();
  const interval = query.get("interval");
  if (interval !== null) {
    const seconds = INTERVAL_S[interval];
    if (seconds === undefined) throw new SandboxError(400, "Invalid interval");
    return { from: at - seconds * 1000, to: at };
  }
  const [start, end] = [Number(query.get("startTs")), Number(query.get("endTs") ?? at / 1000)];
  if (!(start > 0) || !(end >= start)) throw new SandboxError(400, "startTs is required");
  return { from: start * 1000, to: Math.min(at, end * 1000) };
}

async function bestOf(tokenId: string | null): Promise<{ bid: bigint; ask: bigint }> {
  const book = await readWireBook(tokenId);
  const [bid, ask] = [book.bids.at(-1), book.asks.at(-1)];
  if (!bid || !ask) throw new SandboxError(404, "No orderbook exists for the requested token id");
  return { bid: micro(bid.price), ask: micro(ask.price) };
}

function micro(text: string): bigint {
  const parsed = parseMicro(text);
  if (!parsed.ok) throw new Error(`"${text}" is no decimal`);
  return parsed.micro;
}
