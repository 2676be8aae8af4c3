// The cost of a live order through our service, compared with the official client.
import { OrderType, Side } from "@polymarket/clob-client-v2";
import { type CpuReader, readOwnCpu } from "@/bench/costs";
import { createTrader, DISTANCE_MS, type Exchange, type Exchanges } from "@/bench/exchange";
import { summarizeTimes } from "@/bench/measure";
import type { Allowance } from "@/bench/schedule";
import { makeAll, makeCpuAtMost, makeMedianAtMost, reportOne, type Target } from "@/bench/targets";
import { readData, send } from "@/tests/support/product/client";
import type { SandboxMarket, SandboxTrader } from "@/tests/support/sandbox/client";

const MARKETS = 25;
const LEAST_MARKETS = 4;
const LATER_ORDERS = 6;
const WARM_UP_ORDERS = 15;
const PRICE = 0.05;
const SHARES = 20;
const CLIENT = "official client";

type PlaceOne = (market: SandboxMarket) => Promise<void>;

interface Way {
  name: string;
  place: PlaceOne;
  readCpu: CpuReader;
  first: number[];
  later: number[];
  /** CPU seconds of all measured orders. */
  node: number;
  postgres: number;
}

export async function measureLive(exchanges: Exchanges, allowance: Allowance): Promise<void> {
  await measureExchange(exchanges.distant, `upstream at ${DISTANCE_MS} ms`, allowance.share(2), {
    first: makeMedianAtMost(0.8),
    later: makeMedianAtMost(1.2),
  });
  const near = makeMedianAtMost(1.5);
  await measureExchange(exchanges.near, "upstream on the same cores", allowance.share(1), {
    first: near,
    later: makeAll(near, makeCpuAtMost(2)),
  });
}

/** Measures single orders in markets that neither side has used before. */
async function measureExchange(
  exchange: Exchange,
  where: string,
  allowance: Allowance,
  targets: { first: Target; later: Target },
): Promise<void> {
  const [warmUp, ...markets] = exchange.markets.slice(0, MARKETS + 1);
  if (!warmUp || markets.length === 0) throw new Error("the exchange has no markets to trade");
  const ways: Way[] = [
    makeWay(CLIENT, makeClientPlacement(await createTrader(exchange.urls.clob)), readOwnCpu),
    makeWay("through us", makeServicePlacement(exchange), exchange.service.readCpu),
  ];
  for (let count = 0; count < WARM_UP_ORDERS; count += 1) {
    for (const { place } of ways) await place(warmUp);
  }
  for (const [index, market] of markets.entries()) {
    if (index >= LEAST_MARKETS && !allowance.allows(index)) break;
    // Opens the market on the exchange first, so that neither side pays for that.
    await makeClientPlacement(await createTrader(exchange.urls.clob))(market);
    const inTurn = index % 2 === 0 ? ways : ways.toReversed();
    for (const way of inTurn) way.first.push(await measureOne(way, market));
    for (let count = 0; count < LATER_ORDERS; count += 1) {
      for (const way of inTurn) way.later.push(await measureOne(way, market));
    }
  }
  reportWays(
    `live order, first of its market, ${where}`,
    ways,
    ({ first }) => first,
    targets.first,
  );
  reportWays(`live order, later ones, ${where}`, ways, ({ later }) => later, targets.later);
}

const makeWay = (name: string, place: PlaceOne, readCpu: CpuReader): Way => ({
  name,
  place,
  readCpu,
  first: [],
  later: [],
  node: 0,
  postgres: 0,
});

/** Measures one order. Its CPU time counts for both rows, because one order takes less than a tick. */
async function measureOne(way: Way, market: SandboxMarket): Promise<number> {
  const before = way.readCpu();
  const startedAt = performance.now();
  await way.place(market);
  const milliseconds = performance.now() - startedAt;
  const after = way.readCpu();
  way.node += (after?.node ?? 0) - (before?.node ?? 0);
  way.postgres += (after?.postgres ?? 0) - (before?.postgres ?? 0);
  return milliseconds;
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
  const measured = ways.map((way) => {
    const perOrder = (seconds: number) => (seconds * 1000) / (way.first.length + way.later.length);
    const cpu = { nodeCpu: perOrder(way.node), postgresCpu: perOrder(way.postgres) };
    return { way, own: summarizeTimes(pick(way), cpu) };
  });
  for (const { way, own } of measured) {
    const held = way.name === CLIENT ? undefined : target;
    reportOne({ name, candidate: way.name, anchor: CLIENT }, own, measured[0]?.own, held);
  }
}
