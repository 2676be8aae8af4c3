// The cost of a live order through our service, compared with the official client.
import { OrderType, Side } from "@polymarket/clob-client-v2";
import { type Exchange, createTrader } from "@/bench/exchange";
import { type Measured, computeQuantile, reportOne, type Target } from "@/bench/measure";
import { readData, send } from "@/tests/support/product/client";
import type { SandboxMarket, SandboxTrader } from "@/tests/support/sandbox/client";

const MARKETS = 25;
const LATER_ORDERS = 6;
const WARM_UP_ORDERS = 15;
const PRICE = 0.05;
const SHARES = 20;

type PlaceOne = (market: SandboxMarket) => Promise<void>;

interface Way {
  name: string;
  place: PlaceOne;
  first: number[];
  later: number[];
}

const notSlower: Target = {
  text: "≤ 1.25 × the official client's time",
  isMet: (own, base) => base !== undefined && own.median <= 1.25 * base.median,
};
const faster: Target = {
  text: "< the official client's time",
  isMet: (own, base) => base !== undefined && own.median < base.median,
};

/** Measures single orders in markets that neither side has used before. */
export async function measureLive(exchange: Exchange): Promise<void> {
  const [warmUp, ...markets] = exchange.markets.slice(0, MARKETS + 1);
  if (!warmUp || markets.length === 0) throw new Error("the exchange has no markets to trade");
  const ways: Way[] = [
    {
      name: "official client",
      place: makeClientPlacement(await createTrader(exchange.urls.clob)),
      ...makeEmpty(),
    },
    { name: "through us", place: makeServicePlacement(exchange), ...makeEmpty() },
  ];
  // Opens each market on the exchange first, so that neither side pays for that.
  const opener = makeClientPlacement(await createTrader(exchange.urls.clob));
  for (const market of [warmUp, ...markets]) await opener(market);
  for (let count = 0; count < WARM_UP_ORDERS; count += 1) {
    for (const { place } of ways) await place(warmUp);
  }
  for (const [index, market] of markets.entries()) {
    const inTurn = index % 2 === 0 ? ways : ways.toReversed();
    for (const way of inTurn) way.first.push(await measureTime(way.place, market));
    for (let count = 0; count < LATER_ORDERS; count += 1) {
      for (const way of inTurn) way.later.push(await measureTime(way.place, market));
    }
  }
  reportWays("live order, first of its market", ways, ({ first }) => first, notSlower);
  reportWays("live order, later ones", ways, ({ later }) => later, faster);
}

const makeEmpty = () => ({ first: [], later: [] });

async function measureTime(place: PlaceOne, market: SandboxMarket): Promise<number> {
  const startedAt = performance.now();
  await place(market);
  return performance.now() - startedAt;
}

/** Passes tick size and exchange to the client, which would otherwise request them. */
const makeClientPlacement =
  ({ client }: SandboxTrader): PlaceOne =>
  async ({ tokens, neg_risk: negRisk }) => {
    const order = { tokenID: tokens[0]?.token_id ?? "", price: PRICE, size: SHARES };
    const placed = (await client.createAndPostOrder(
      { ...order, side: Side.BUY },
      { tickSize: "0.01", negRisk },
      OrderType.GTC,
    )) as { success: boolean };
    if (!placed.success) throw new Error(`refused: ${JSON.stringify(placed)}`);
  };

const makeServicePlacement =
  ({ service, apiKey }: Exchange): PlaceOne =>
  async ({ tokens }) => {
    const tokenId = tokens[0]?.token_id ?? "";
    const body = { tokenId, action: "BUY", orderType: "limit", price: PRICE, shares: SHARES };
    readData(await send(service.port, { method: "POST", path: "/v1/orders", key: apiKey, body }));
  };

function reportWays(
  name: string,
  ways: readonly Way[],
  pick: (way: Way) => number[],
  target: Target,
): void {
  const [official] = ways;
  const base = official && toMeasured(pick(official));
  for (const way of ways) {
    const held = way === official ? undefined : target;
    reportOne({ name, candidate: way.name }, toMeasured(pick(way)), base, held);
  }
}

/** Summarizes sequential requests. */
function toMeasured(times: readonly number[]): Measured {
  const sorted = Float64Array.from(times).toSorted();
  const total = times.reduce((sum, time) => sum + time, 0);
  return {
    median: computeQuantile(sorted, 0.5),
    p99: computeQuantile(sorted, 0.99),
    perSecond: (times.length * 1000) / total,
    cpu: null,
    failures: null,
  };
}
