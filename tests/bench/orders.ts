// Orders that are sent: which tokens they are for, and their calls.
import { type Candidate, CONNECTIONS, measureRound, type Round } from "@/tests/bench/measure";
import type { Service, Trader } from "@/tests/bench/services";
import { failuresOf, load } from "@/tests/bench/load/load";
import { type Call, type LoadResult, UNIQUE } from "@/tests/bench/load/scenario";
import { dataOf, send } from "@/tests/support/product-client";

export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

export const ORDER_ID = '"orderId":"([^"]+)"';
const AN_HOUR_MS = 3_600_000;
const MIN_PRICE = 0.3;
const MAX_PRICE = 0.7;

export interface Token {
  tokenId: string;
  marketId: string;
}

interface Market {
  id: string;
  tickSize: string;
  closesAt: string;
  outcomes: { tokenId: string; price: number }[];
}

/**
 * First tokens of markets that stay open for long, on which 0.01 is a price that rests: by
 * popularity, one of each market.
 */
export async function tradableTokens(port: number, apiKey: string): Promise<Token[]> {
  const tokens: Token[] = [];
  let from = "";
  do {
    const path = `/v1/markets?limit=100${from}`;
    const answer = await send(port, { method: "GET", path, key: apiKey });
    const page = dataOf<{ markets: Market[]; nextCursor: string | null }>(answer);
    tokens.push(...page.markets.filter(isTradable).map(firstToken));
    from = page.nextCursor === null ? "" : `&nextCursor=${encodeURIComponent(page.nextCursor)}`;
  } while (from !== "");
  return tokens;
}

function isTradable({ tickSize, closesAt, outcomes }: Market): boolean {
  const isOpenForLong = Date.parse(closesAt) > Date.now() + AN_HOUR_MS;
  const isInTheMiddle = outcomes.every(({ price }) => price > MIN_PRICE && price < MAX_PRICE);
  return tickSize === "0.01" && isOpenForLong && isInTheMiddle;
}

const firstToken = ({ id, outcomes }: Market): Token => ({
  marketId: id,
  tokenId: outcomes[0]?.tokenId ?? "",
});

type Terms = Record<string, unknown>;

/** An order that nobody meets: far below what anyone asks. */
export const resting = ({ tokenId }: Token, cents = 1): Terms => ({
  tokenId,
  action: "BUY",
  orderType: "limit",
  price: cents / 100,
  shares: 5,
});

/** An order that the house fills at once. */
export const marketable = ({ tokenId }: Token): Terms => ({
  tokenId,
  action: "BUY",
  orderType: "market",
  amount: 1,
});

/** A call that places an order under a key that nobody else uses. */
export const place = ({ apiKey }: { apiKey: string }, terms: Terms): Call => ({
  method: "POST",
  path: "/v1/orders",
  headers: bearer(apiKey),
  body: JSON.stringify({ ...terms, idempotencyKey: `bench-${UNIQUE}` }),
});

/** One call for each user or each token, whichever are more: users spread over the markets. */
export function placeAll(
  traders: readonly Trader[],
  tokens: readonly Token[],
  terms: (token: Token) => Terms,
): Call[] {
  const count = Math.max(traders.length, tokens.length);
  return Array.from({ length: count }, (_, index) =>
    place(pick(traders, index), terms(pick(tokens, index))),
  );
}

export function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

/** Calls that cancel what these calls placed, each by who placed it. */
export function cancelsOf(calls: readonly Call[], collected: LoadResult["collected"]): Call[] {
  return collected.map(({ call, value }) => ({
    method: "DELETE",
    path: `/v1/orders/${value}`,
    headers: pick(calls, call).headers ?? {},
  }));
}

/** Sends each call once, and throws unless all are answered 200. */
export async function sendAll(
  { port }: { port: number },
  calls: readonly Call[],
  collect?: string,
): Promise<LoadResult["collected"]> {
  if (calls.length === 0) return [];
  const result = await load({
    ports: [port],
    calls,
    connections: CONNECTIONS,
    requests: calls.length,
    ...(collect === undefined ? {} : { collect }),
  });
  const failures = failuresOf(result);
  if (failures !== null) throw new Error(failures);
  return result.collected;
}

/** Takes the orders back that a round has placed, so that the next one meets the same book. */
export const undo =
  (service: Pick<Service, "port">, calls: readonly Call[]) =>
  async (collected: LoadResult["collected"]): Promise<void> => {
    await sendAll(service, cancelsOf(calls, collected));
  };

/** Measures canceling exactly these orders once. */
export function measureCancels(
  { name, ports, pids }: Pick<Candidate, "name" | "ports" | "pids">,
  calls: readonly Call[],
): Promise<Round> {
  if (calls.length === 0) throw new Error(`${name}: nothing was placed that could be canceled`);
  const pace = { rounds: 1, connections: CONNECTIONS, requests: calls.length };
  return measureRound({ name, ports, pids, calls }, pace);
}
