// The orders of the benchmark: their tokens and requests.
import { CONNECTIONS, type Candidate, measureRound, type Round } from "@/bench/measure";
import type { Service, Trader } from "@/bench/services";
import { describeFailures, load } from "@/bench/load/load";
import { type Call, type LoadResult, UNIQUE } from "@/bench/load/scenario";
import { readData, send } from "@/tests/support/product/client";

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
 * Lists the first token of each market that stays open for an hour and where a bid at 0.01 rests.
 * Sorted by popularity.
 */
export async function listTradableTokens(port: number, apiKey: string): Promise<Token[]> {
  const tokens: Token[] = [];
  let from = "";
  do {
    const path = `/v1/markets?limit=100${from}`;
    const answer = await send(port, { method: "GET", path, key: apiKey });
    const page = readData<{ markets: Market[]; nextCursor: string | null }>(answer);
    tokens.push(...page.markets.filter(isTradable).map(toFirstToken));
    from = page.nextCursor === null ? "" : `&nextCursor=${encodeURIComponent(page.nextCursor)}`;
  } while (from !== "");
  return tokens;
}

function isTradable({ tickSize, closesAt, outcomes }: Market): boolean {
  const isOpenForLong = Date.parse(closesAt) > Date.now() + AN_HOUR_MS;
  const isInTheMiddle = outcomes.every(({ price }) => price > MIN_PRICE && price < MAX_PRICE);
  return tickSize === "0.01" && isOpenForLong && isInTheMiddle;
}

const toFirstToken = ({ id, outcomes }: Market): Token => ({
  marketId: id,
  tokenId: outcomes[0]?.tokenId ?? "",
});

type Terms = Record<string, unknown>;

/** Builds an order that rests, far below the best ask. */
export const buildResting = ({ tokenId }: Token, cents = 1): Terms => ({
  tokenId,
  action: "BUY",
  orderType: "limit",
  price: cents / 100,
  shares: 5,
});

/** Builds an order that the house fills immediately. */
export const buildMarketable = ({ tokenId }: Token): Terms => ({
  tokenId,
  action: "BUY",
  orderType: "market",
  amount: 1,
});

/** Builds a request that places an order with a unique key. */
export const buildPlacement = ({ apiKey }: { apiKey: string }, terms: Terms): Call => ({
  method: "POST",
  path: "/v1/orders",
  headers: bearer(apiKey),
  body: JSON.stringify({ ...terms, idempotencyKey: `bench-${UNIQUE}` }),
});

/** Builds one request per user or per token, whichever are more, so that users spread over markets. */
export function buildPlacements(
  traders: readonly Trader[],
  tokens: readonly Token[],
  terms: (token: Token) => Terms,
): Call[] {
  const count = Math.max(traders.length, tokens.length);
  return Array.from({ length: count }, (_, index) =>
    buildPlacement(pick(traders, index), terms(pick(tokens, index))),
  );
}

export function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

/** Builds requests that cancel the orders of these placements, each by its own user. */
export function buildCancels(calls: readonly Call[], collected: LoadResult["collected"]): Call[] {
  return collected.map(({ call, value }) => ({
    method: "DELETE",
    path: `/v1/orders/${value}`,
    headers: pick(calls, call).headers ?? {},
  }));
}

/** Sends each request once. Throws unless all return 200. */
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
  const failures = describeFailures(result);
  if (failures !== null) throw new Error(failures);
  return result.collected;
}

/** Makes the cancel of a round's orders, so that the next round has the same book. */
export const makeUndo =
  (service: Pick<Service, "port">, calls: readonly Call[]) =>
  async (collected: LoadResult["collected"]): Promise<void> => {
    await sendAll(service, buildCancels(calls, collected));
  };

/** Measures one cancel of each of these orders. */
export function measureCancels(
  { name, ports, readCpu }: Pick<Candidate, "name" | "ports" | "readCpu">,
  calls: readonly Call[],
): Promise<Round> {
  if (calls.length === 0) throw new Error(`${name}: no order was placed that could be canceled`);
  const pace = { connections: CONNECTIONS, requests: calls.length };
  return measureRound({ ports, readCpu, calls }, pace);
}
