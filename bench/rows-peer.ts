// The same calls through a comparable library, on the same exchange with the same open orders.
import type { CpuReader } from "@/bench/costs";
import { createTrader, DISTANCE_MS, type Exchange, type Exchanges } from "@/bench/exchange";
import type { Call } from "@/bench/load/scenario";
import {
  CONNECTIONS,
  measureAlternately,
  measureRound,
  type Pace,
  type Round,
  ROUNDS,
  summarize,
} from "@/bench/measure";
import { bearer, measureCancels, sendAll } from "@/bench/orders";
import { type Peer, startPeer } from "@/bench/peer";
import { reportMissing } from "@/bench/results";
import type { Allowance } from "@/bench/schedule";
import { makeAll, makeAtLeast, makeP99AtMost, reportAll } from "@/bench/targets";

const PEER = "pmxt-core";
const US = "through us";
const OPEN_ORDERS = 20;
const PRICE = 0.05;
const SHARES = 20;
const ORDERS: Pace = { connections: CONNECTIONS, requests: 150 };

const threefold = makeAll(makeAtLeast(3), makeP99AtMost(1 / 3));
const notSlower = makeAll(makeAtLeast(1), makeP99AtMost(1));

/** One of the two services with its calls. */
interface Side {
  name: string;
  ports: readonly number[];
  readCpu: CpuReader;
  balance: Call;
  openOrders: Call;
  orderById: (id: string) => Call;
  place: Call;
  /** Matches the order's id in the response to its placement. */
  idPattern: string;
  cancel: (id: string) => Call;
}

/** @param reason why the peer could not be installed, or null. */
export async function measurePeer(
  exchanges: Exchanges,
  reason: string | null,
  allowance: Allowance,
): Promise<void> {
  if (reason !== null) return reportMissing("live calls", PEER, reason);
  await reportPlacing(await openSides(exchanges.distant), allowance.share(2));
  await reportReads(await openSides(exchanges.near), allowance);
}

async function openSides(exchange: Exchange): Promise<Side[]> {
  const peer = await startPeer(exchange, await createTrader(exchange.urls.clob));
  const tokenId = exchange.markets[0]?.tokens[0]?.token_id ?? "";
  return [makePeerSide(peer, tokenId), makeOurSide(exchange, tokenId)];
}

async function reportReads(sides: readonly Side[], allowance: Allowance): Promise<void> {
  await reportCalls("live: GET balance", sides, allowance.share(3), ({ balance }) => balance);
  const ids = new Map<string, string>();
  for (const side of sides) ids.set(side.name, await placeOpenOrders(side));
  const openOrders = `live: GET open orders (${OPEN_ORDERS})`;
  await reportCalls(openOrders, sides, allowance.share(2), (side) => side.openOrders);
  await reportCalls("live: GET order by id", sides, allowance, (side) =>
    side.orderById(ids.get(side.name) ?? ""),
  );
}

async function reportCalls(
  name: string,
  sides: readonly Side[],
  allowance: Allowance,
  pick: (side: Side) => Call,
): Promise<void> {
  const candidates = sides.map((side) => ({ ...side, calls: [pick(side)] }));
  reportAll(name, await measureAlternately(candidates, allowance), PEER, { [US]: threefold });
}

/** Measures placing orders and canceling them, alternating between the sides. */
async function reportPlacing(sides: readonly Side[], allowance: Allowance): Promise<void> {
  const placed = new Map(sides.map(({ name }): [string, Round[]] => [name, []]));
  const canceled = new Map(sides.map(({ name }): [string, Round[]] => [name, []]));
  for (const side of sides) await runRound(side, { ...ORDERS, requests: CONNECTIONS });
  for (let round = 0; round < ROUNDS && allowance.allows(round); round += 1) {
    for (const side of sides) {
      const rounds = await runRound(side, ORDERS);
      placed.get(side.name)?.push(rounds.placed);
      canceled.get(side.name)?.push(rounds.canceled);
    }
  }
  for (const [name, all] of [
    [`live: resting order, upstream at ${DISTANCE_MS} ms`, placed],
    [`live: cancel, upstream at ${DISTANCE_MS} ms`, canceled],
  ] as const) {
    const measured = new Map([...all].map(([side, rounds]) => [side, summarize(rounds)]));
    reportAll(name, measured, PEER, { [US]: notSlower });
  }
}

async function runRound(side: Side, pace: Pace): Promise<{ placed: Round; canceled: Round }> {
  const { name, ports, readCpu, place, idPattern: collect, cancel } = side;
  const placed = await measureRound({ ports, readCpu, calls: [place], collect }, pace);
  const calls = placed.collected.map(({ value }) => cancel(value));
  return { placed, canceled: await measureCancels({ name, ports, readCpu }, calls) };
}

/** Places a side's open orders. Returns the id of one. */
async function placeOpenOrders({ ports, place, idPattern }: Side): Promise<string> {
  const calls = Array.from({ length: OPEN_ORDERS }, () => place);
  const [first] = await sendAll({ port: ports[0] ?? 0 }, calls, idPattern);
  return first?.value ?? "";
}

function makeOurSide({ service, apiKey }: Exchange, tokenId: string): Side {
  const headers = bearer(apiKey);
  const get = (path: string): Call => ({ method: "GET", path, headers });
  const body = { tokenId, action: "BUY", orderType: "limit", price: PRICE, shares: SHARES };
  return {
    name: US,
    ports: [service.port],
    readCpu: service.readCpu,
    balance: get("/v1/account/balance"),
    openOrders: get("/v1/orders/open"),
    orderById: (id) => get(`/v1/orders/${id}`),
    place: { method: "POST", path: "/v1/orders", headers, body: JSON.stringify(body) },
    idPattern: '"orderId":"([^"]+)"',
    cancel: (id) => ({ method: "DELETE", path: `/v1/orders/${id}`, headers }),
  };
}

function makePeerSide({ port, readCpu, headers }: Peer, tokenId: string): Side {
  const call = (name: string, ...args: unknown[]): Call => ({
    method: "POST",
    path: `/api/polymarket/${name}`,
    headers,
    body: JSON.stringify({ args }),
  });
  const order = { side: "buy", type: "limit", price: PRICE, amount: SHARES, tickSize: 0.01 };
  return {
    name: PEER,
    ports: [port],
    readCpu,
    balance: call("fetchBalance"),
    openOrders: call("fetchOpenOrders"),
    orderById: (id) => call("fetchOrder", id),
    place: call("createOrder", { marketId: tokenId, outcomeId: tokenId, ...order }),
    idPattern: '"id":"(0x[0-9a-f]{64})"',
    cancel: (id) => call("cancelOrder", id),
  };
}
