// Events as they reach their readers: streams and webhooks.
import { createServer, get, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { CpuSeconds } from "@/bench/costs";
import { load } from "@/bench/load/load";
import { CONNECTIONS } from "@/bench/measure";
import { bearer, buildPlacement, buildResting, pick, sendAll } from "@/bench/orders";
import { NO_FIGURES, report } from "@/bench/results";
import type { Allowance } from "@/bench/schedule";
import type { Service, Site, Trader } from "@/bench/services";
import { type Cast, SEEDED } from "@/bench/stage";
import { readData, send } from "@/tests/support/product/client";

const STREAMS = 100;
const LONGEST_WRITE_S = 3;
const WRITE_PART = 0.1;
const ENDPOINTS = 8;
const ORDERS_PER_ENDPOINT = 100;
/** About the size of an order's event. */
const BARE_BODY = "x".repeat(1_000);
const BARE_POSTS = 4_000;

/** Measures on a database of its own, whose service may send to this machine. */
export async function measureEvents(site: Site, cast: Cast, allowance: Allowance): Promise<void> {
  await site.createDatabase("events", SEEDED);
  const environment = { ...site.onPostgres("events"), WEBHOOK_ALLOW_PRIVATE: "1" };
  const service = await site.start(environment);
  const seconds = Math.min(LONGEST_WRITE_S, Math.max(1, WRITE_PART * allowance.left));
  await measureStreams(service, cast, seconds);
  await measureWebhooks(service, cast);
  await service.product.stop();
}

/** One account trades while 100 streams follow it. */
async function measureStreams(
  service: Service,
  { traders, tokens }: Cast,
  writeSeconds: number,
): Promise<void> {
  const { port, readCpu } = service;
  const trader = pick(traders, 0);
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, () => openStream(port, trader)),
  );
  const from = await readHead(port, trader);
  const startedAt = performance.now();
  const calls = tokens.map((token) => buildPlacement(trader, buildResting(token)));
  const before = readCpu();
  const placed = await load({
    ports: [port],
    connections: CONNECTIONS,
    calls,
    seconds: writeSeconds,
  });
  const events = (await readHead(port, trader)) - from;
  await Promise.all(streams.map((stream) => stream.waitFor(events)));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = computeCpuPer(before, readCpu(), events * STREAMS);
  for (const { close } of streams) close();
  const orders = Math.round(placed.latencies.length / placed.seconds);
  report({
    name: `events to ${STREAMS} streams of one account`,
    candidate: "Postgres, 1 process",
    ...NO_FIGURES,
    ...cpu,
    perSecond: (events * STREAMS) / seconds,
    note: `${orders} resting orders per second of that account meanwhile`,
  });
}

interface StreamCount {
  /** Resolves when so many events have arrived. */
  waitFor: (events: number) => Promise<void>;
  close: () => void;
}

function openStream(port: number, { apiKey }: Trader): Promise<StreamCount> {
  return new Promise((resolve, reject) => {
    const opened = get({
      port,
      host: "127.0.0.1",
      path: "/v1/events/stream",
      headers: bearer(apiKey),
    });
    opened.once("error", reject);
    opened.once("response", (response) => {
      let seen = 0;
      let wanted: { events: number; done: () => void } | null = null;
      response.setEncoding("utf8").on("data", (chunk: string) => {
        seen += chunk.split("\nevent: ").length - 1;
        if (wanted && seen >= wanted.events) wanted.done();
      });
      resolve({
        waitFor: (events) =>
          new Promise((done) => {
            if (seen >= events) done();
            else wanted = { events, done };
          }),
        close: () => opened.destroy(),
      });
    });
  });
}

/** Replays the log of some accounts to an endpoint each; the base posts the same from bare Node. */
async function measureWebhooks(
  { port, readCpu }: Service,
  { traders, tokens }: Cast,
): Promise<void> {
  const owners = traders.slice(1, ENDPOINTS + 1);
  const receiver = await openReceiver();
  const base = await measureBarePosts(receiver);
  const name = `webhook deliveries to ${ENDPOINTS} endpoints`;
  const anchor = "bare node:http";
  report({ ...NO_FIGURES, name, candidate: anchor, anchor, perSecond: base, ratio: 1 });
  for (const owner of owners) {
    const orders = Array.from({ length: ORDERS_PER_ENDPOINT }, (_, index) =>
      buildPlacement(owner, buildResting(pick(tokens, index))),
    );
    await sendAll({ port }, orders);
  }
  for (const ordered of [true, false]) {
    const ids = await Promise.all(owners.map((owner) => subscribe(port, owner, receiver, ordered)));
    receiver.count = 0;
    const before = readCpu();
    const startedAt = performance.now();
    const replays = await Promise.all(
      ids.map((id, index) => replay(port, pick(owners, index), id)),
    );
    const events = replays.reduce((total, count) => total + count, 0);
    await receiver.waitFor(events);
    const perSecond = events / ((performance.now() - startedAt) / 1000);
    const candidate = `Postgres, 1 process, ${ordered ? "in order" : "not in order"}`;
    const cpu = computeCpuPer(before, readCpu(), events);
    report({ ...NO_FIGURES, ...cpu, name, candidate, anchor, perSecond, ratio: perSecond / base });
    await Promise.all(
      ids.map((id, index) => call(port, pick(owners, index), "DELETE", `/v1/webhooks/${id}`)),
    );
  }
  receiver.close();
}

function computeCpuPer(before: CpuSeconds | null, after: CpuSeconds | null, count: number) {
  if (!before || !after) return {};
  const per = (spent: number) => (spent * 1000) / count;
  return {
    nodeCpu: per(after.node - before.node),
    postgresCpu: per(after.postgres - before.postgres),
  };
}

interface Counter extends StreamCount {
  url: string;
  port: number;
  count: number;
}

function openReceiver(): Promise<Counter> {
  let wanted: { events: number; done: () => void } | null = null;
  const server = createServer((message, response) => {
    message.resume().on("end", () => {
      counter.count += 1;
      if (wanted && counter.count >= wanted.events) wanted.done();
      response.writeHead(204).end();
    });
  });
  const counter: Counter = {
    url: "",
    port: 0,
    count: 0,
    waitFor: (events) =>
      new Promise((done) => {
        if (counter.count >= events) done();
        else wanted = { events, done };
      }),
    close: () => server.close(),
  };
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      counter.port = (server.address() as AddressInfo).port;
      counter.url = `http://127.0.0.1:${counter.port}/`;
      resolve(counter);
    });
  });
}

/** Posts as many at a time as there are endpoints, each on a connection of its own, as webhooks do. */
async function measureBarePosts({ port }: Counter): Promise<number> {
  let left = BARE_POSTS;
  const post = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(
        { port, host: "127.0.0.1", method: "POST", agent: false },
        (response) => {
          response.resume().on("end", resolve);
        },
      );
      sent.once("error", reject).end(BARE_BODY);
    });
  const startedAt = performance.now();
  const work = async () => {
    while (left-- > 0) await post();
  };
  await Promise.all(Array.from({ length: ENDPOINTS }, work));
  return BARE_POSTS / ((performance.now() - startedAt) / 1000);
}

async function call<T>(
  port: number,
  { apiKey: key }: Trader,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  return readData<T>(await send(port, { method, path, key, ...(body ? { body } : {}) }));
}

async function readHead(port: number, trader: Trader): Promise<number> {
  const path = "/v1/events?limit=1";
  return (await call<{ lastSeq: number }>(port, trader, "GET", path)).lastSeq;
}

async function subscribe(
  port: number,
  owner: Trader,
  { url }: Counter,
  ordered: boolean,
): Promise<string> {
  const body = { url, ordered };
  return (await call<{ id: string }>(port, owner, "POST", "/v1/webhooks", body)).id;
}

/** Starts a replay of all events. Returns how many there are. */
async function replay(port: number, owner: Trader, id: string): Promise<number> {
  const path = `/v1/webhooks/${id}/replay?after=0`;
  return (await call<{ events: number }>(port, owner, "POST", path)).events;
}
