// The same calls by a peer that a user would pick, on the same exchange with the same orders open.
import { type Exchange, newTrader } from "@/tests/bench/exchange";
import type { Call } from "@/tests/bench/load/scenario";
import {
  CONNECTIONS,
  interleave,
  type Measured,
  measureRound,
  type Pace,
  QUICK,
  reportAll,
  type Round,
  summarize,
  type Target,
  timesAsMany,
} from "@/tests/bench/measure";
import { bearer, measureCancels, sendAll } from "@/tests/bench/orders";
import { type Peer, startPeer } from "@/tests/bench/peer";
import { leaveOut } from "@/tests/bench/results";

const PEER = "pmxt-core";
const US = "through us";
const OPEN_ORDERS = 20;
const PRICE = 0.05;
const SHARES = 20;
const ORDERS: Pace = { rounds: 3, connections: CONNECTIONS, requests: 150 };

const threefold: Target = {
  text: "≥ 3 × pmxt-core, p99 ≤ its p99 / 3",
  isMet: (own, base) => (timesAsMany(own, base) ?? 0) >= 3 && isWithinThird(own, base),
};

function isWithinThird({ p99 }: Measured, base: Measured | undefined): boolean {
  return p99 !== null && typeof base?.p99 === "number" && p99 <= base.p99 / 3;
}

/** One of the two services, with the calls that both have. */
interface Side {
  name: string;
  ports: readonly number[];
  pids: readonly number[];
  balance: Call;
  openOrders: Call;
  orderById: (id: string) => Call;
  place: Call;
  /** Finds the id of the order in the answer to placing it. */
  idPattern: string;
  cancel: (id: string) => Call;
}

/** `reason` says why the peer is not there, if it is not. */
export async function measurePeer(exchange: Exchange, reason: string | null): Promise<void> {
  if (reason !== null) return leaveOut("live calls", PEER, reason);
  const peer = await startPeer(exchange, await newTrader(exchange.urls.clob));
  const tokenId = exchange.markets[0]?.tokens[0]?.token_id ?? "";
  const sides = [peerSide(peer, tokenId), ourSide(exchange, tokenId)];
  await reportCalls("live: GET balance", sides, ({ balance }) => balance);
  const ids = new Map<string, string>();
  for (const side of sides) ids.set(side.name, await openOrders(side));
  await reportCalls(`live: GET open orders (${OPEN_ORDERS})`, sides, (side) => side.openOrders);
  await reportCalls("live: GET order by id", sides, (side) =>
    side.orderById(ids.get(side.name) ?? ""),
  );
  await reportPlacing(sides);
}

async function reportCalls(
  name: string,
  sides: readonly Side[],
  pick: (side: Side) => Call,
): Promise<void> {
  const candidates = sides.map((side) => ({ ...side, calls: [pick(side)] }));
  reportAll(name, await interleave(candidates, QUICK), PEER, { [US]: threefold });
}

/** Places so many orders, then cancels exactly these, in turn. */
async function reportPlacing(sides: readonly Side[]): Promise<void> {
  const placed = new Map(sides.map(({ name }): [string, Round[]] => [name, []]));
  const canceled = new Map(sides.map(({ name }): [string, Round[]] => [name, []]));
  for (const side of sides) await playRound(side, { ...ORDERS, requests: CONNECTIONS });
  for (let round = 0; round < ORDERS.rounds; round += 1) {
    for (const side of sides) {
      const rounds = await playRound(side, ORDERS);
      placed.get(side.name)?.push(rounds.placed);
      canceled.get(side.name)?.push(rounds.canceled);
    }
  }
  for (const [name, all] of [
    ["live: resting order", placed],
    ["live: cancel", canceled],
  ] as const) {
    const measured = new Map([...all].map(([side, rounds]) => [side, summarize(rounds)]));
    reportAll(name, measured, PEER, { [US]: threefold });
  }
}

async function playRound(side: Side, pace: Pace): Promise<{ placed: Round; canceled: Round }> {
  const { name, ports, pids, place, idPattern: collect, cancel } = side;
  const placed = await measureRound({ name, ports, pids, calls: [place], collect }, pace);
  const calls = placed.collected.map(({ value }) => cancel(value));
  return { placed, canceled: await measureCancels({ name, ports, pids }, calls) };
}

/** Gives a side its open orders; returns the id of one. */
async function openOrders({ ports, place, idPattern }: Side): Promise<string> {
  const calls = Array.from({ length: OPEN_ORDERS }, () => place);
  const [first] = await sendAll({ port: ports[0] ?? 0 }, calls, idPattern);
  return first?.value ?? "";
}

function ourSide({ service, apiKey }: Exchange, tokenId: string): Side {
  const headers = bearer(apiKey);
  const get = (path: string): Call => ({ method: "GET", path, headers });
  const body = { tokenId, action: "BUY", orderType: "limit", price: PRICE, shares: SHARES };
  return {
    name: US,
    ports: [service.port],
    // As with the peer: without the database, which is also the exchange's.
    pids: [service.product.pid],
    balance: get("/v1/account/balance"),
    openOrders: get("/v1/orders/open"),
    orderById: (id) => get(`/v1/orders/${id}`),
    place: { method: "POST", path: "/v1/orders", headers, body: JSON.stringify(body) },
    idPattern: '"orderId":"([^"]+)"',
    cancel: (id) => ({ method: "DELETE", path: `/v1/orders/${id}`, headers }),
  };
}

function peerSide({ port, pids, headers }: Peer, tokenId: string): Side {
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
    pids,
    balance: call("fetchBalance"),
    openOrders: call("fetchOpenOrders"),
    orderById: (id) => call("fetchOrder", id),
    place: call("createOrder", { marketId: tokenId, outcomeId: tokenId, ...order }),
    idPattern: '"id":"(0x[0-9a-f]{64})"',
    cancel: (id) => call("cancelOrder", id),
  };
}
