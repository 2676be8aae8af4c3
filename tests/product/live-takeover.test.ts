import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Service, Site } from "@/bench/services";
import type { VenueCall } from "@/tests/support/live/fault-server";
import {
  findDisagreements,
  startLiveEnvironment,
  type LiveEnvironment,
  type LiveTrader,
  SERVICE,
  listTokens,
  VENUE,
} from "@/tests/support/live/product-stack";
import {
  cleanUpAfterwards,
  readCode,
  type Environment,
  newKey,
  send,
  until,
} from "@/tests/support/product/product";

const site = new Site();
// Registered first, so that it runs last: the servers must stop before their database.
afterAll(() => site.close());
cleanUpAfterwards();

const ORDERS = 12;
/** Short, so that an abandoned lease expires soon; long enough for a busy machine. */
const TIMERS: Environment = {
  SUBMIT_ATTEMPT_TIMEOUT_MS: "3000",
  SUBMIT_BUDGET_MS: "3000",
  ABANDON_AFTER_MS: "2000",
};
/** The stopped process does not reconcile, so its venue calls are only for its post. */
const RECONCILES_NEVER: Environment = { RECONCILE_TICK_MS: "100000000" };

let ground: LiveEnvironment;
let tokenId = "";
let running: Service[] = [];

beforeAll(async () => {
  await site.open();
  ground = await startLiveEnvironment(site, 3);
  const service = await start();
  [tokenId = ""] = (await listTokens(ground, service)).live;
});

afterEach(async () => {
  ground.network.fault = () => null;
  // A stopped process does not handle SIGTERM.
  for (const { product } of running) await product.crash();
  running = [];
});

async function start(env: Environment = {}): Promise<Service> {
  const service = await site.start({ ...ground.environment, ...TIMERS, ...env });
  running.push(service);
  return service;
}

const getTrader = (index: number): LiveTrader =>
  ground.traders[index] ?? expect.fail("every test has a trader of its own");

const isPost = ({ method, path }: VenueCall) => method === "POST" && path === "/clob/order";
const isQuery = ({ method, path }: VenueCall) => method === "GET" && path.startsWith("/clob/data/");
const countPosts = () => ground.network.calls.filter(isPost).length;

interface Row {
  status: string;
  held: string;
  venueOrderId: string;
  isCancelRequested: boolean;
}

async function readOrders({ userId }: LiveTrader): Promise<Row[]> {
  const { rows } = await site.query(
    SERVICE,
    `select o.status, o.held_micro::text as held, r.venue_order_id as "venueOrderId",
       r.cancel_requested_at is not null as "isCancelRequested"
     from remote_orders r join orders o on o.id = r.order_id
     where r.user_id = '${userId}' order by o.sequence`,
  );
  return rows as Row[];
}

/** Returns the venue's record of orders. */
async function readVenueStatuses(ids: readonly string[]): Promise<string[]> {
  const list = ids.map((id) => `'${id}'`).join(", ");
  const { rows } = await site.query(VENUE, `select status from orders where id in (${list})`);
  return (rows as { status: string }[]).map(({ status }) => status);
}

const restingOrder = (idempotencyKey: string) => ({
  tokenId,
  action: "BUY",
  orderType: "limit",
  price: 0.01,
  shares: 100,
  idempotencyKey,
});

/** Like `send`, but waits for the response of a stopped process. */
async function sendPatiently(service: Service, trader: LiveTrader, body: object) {
  const answer = await fetch(`http://127.0.0.1:${service.port}/v1/orders`, {
    method: "POST",
    headers: { authorization: `Bearer ${trader.liveKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

const place = ({ port }: Service, { liveKey: key }: LiveTrader, body: object) =>
  send(port, { method: "POST", path: "/v1/orders", key, body });
const cancelAll = ({ port }: Service, { liveKey: key }: LiveTrader) =>
  send(port, { method: "DELETE", path: "/v1/orders", key });

/** Stops the process and waits until all its threads have stopped. */
async function standStill({ product }: Service): Promise<void> {
  product.kill("SIGSTOP");
  await until("the process stands still", async () => {
    const { stdout } = await promisify(execFile)("ps", ["-o", "state=", "-p", String(product.pid)]);
    return stdout.trim().startsWith("T");
  });
}

type Stop = (service: Service, trader: LiveTrader, place: () => void) => Promise<void>;

/**
 * Stops the process while its insert of the order waits for the wallet's row. The database then
 * inserts the order, and the process learns of it only when it continues.
 */
const stopBeforeTheFirstPost: Stop = async (service, { userId }, placeOrder) => {
  const client = new pg.Client({ connectionString: site.buildUrl(SERVICE) });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select from live_wallets where user_id = $1 for update", [userId]);
    placeOrder();
    await until("the order waits to be stored", async () => {
      const { rows } = await site.query(
        SERVICE,
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like '%insert into idempotency_keys%'`,
      );
      return rows.length === 1;
    });
    await standStill(service);
    await client.query("commit");
  } finally {
    await client.end();
  }
};

/**
 * Makes the venue reject the order as not ready, so that the process queries the order before it
 * posts again. Stops the process while it waits for the query.
 */
const stopBetweenTwoPosts: Stop = async (service, _, placeOrder) => {
  let hasPosted = false;
  const isStopped = new Promise<void>((resolve, reject) => {
    ground.network.fault = (call) => {
      if (isPost(call)) {
        hasPosted = true;
        return (_handle, { send: answer }) =>
          answer(Response.json({ error: "the market is not yet ready" }, { status: 400 }));
      }
      if (!hasPosted || !isQuery(call)) return null;
      ground.network.fault = () => null;
      return async (handle, { send: answer }) => {
        await standStill(service).then(resolve, reject);
        await answer(await handle());
      };
    };
  });
  placeOrder();
  await isStopped;
};

describe("a process that was stopped while another one abandoned its order", () => {
  it.each<[string, number, Stop]>([
    ["before its first post", 0, stopBeforeTheFirstPost],
    ["between two posts", 1, stopBetweenTwoPosts],
  ])("%s posts nothing when it wakes up", async (_name, index, stop) => {
    const trader = getTrader(index);
    const still = await start(RECONCILES_NEVER);
    // The first order obtains venue credentials, so the second one posts immediately.
    expect(await place(still, trader, restingOrder(newKey("first")))).toMatchObject({
      status: 200,
    });
    expect((await cancelAll(still, trader)).status).toBe(200);

    const order = restingOrder(newKey("stood still"));
    let woken: ReturnType<typeof sendPatiently> | undefined;
    await stop(still, trader, () => {
      woken = sendPatiently(still, trader, order);
    });
    const other = await start();
    const record = await until("the order is abandoned", async () => {
      const [, row] = await readOrders(trader);
      return row?.status === "abandoned" && row;
    });
    expect(record.held).toBe("0");
    const answer = await place(other, trader, order);
    expect([answer.status, readCode(answer)]).toEqual([400, "ORDER_ABANDONED"]);
    const posts = countPosts();

    still.product.kill("SIGCONT");
    const late = await woken;
    expect(countPosts()).toBe(posts);
    // It may have been about to ask for a repetition of the request.
    expect([400, 502]).toContain(late?.status);
    // After that, its key has one response in every process.
    expect(await place(still, trader, order)).toMatchObject({ status: 400, text: answer.text });
    expect(await place(other, trader, order)).toMatchObject({ status: 400, text: answer.text });
    expect(countPosts()).toBe(posts);
    expect(await readVenueStatuses([record.venueOrderId])).toEqual([]);
    expect((await readOrders(trader))[1]).toEqual(record);
    expect(await findDisagreements(ground)).toEqual([]);
  });
});

it("another process finishes a cancel of all orders after the first one dies before the venue responds", async () => {
  const trader = getTrader(2);
  const asked = await start();
  for (let count = 0; count < ORDERS; count += 1) {
    const placed = await place(asked, trader, restingOrder(newKey("many")));
    expect(placed.status).toBe(200);
  }
  const ids = (await readOrders(trader)).map(({ venueOrderId }) => venueOrderId);
  expect(await readVenueStatuses(ids)).toEqual(ids.map(() => "open"));

  ground.network.fault = ({ method }) => (method === "DELETE" ? () => new Promise(() => {}) : null);
  const canceling = cancelAll(asked, trader).catch(() => null);
  await until("every cancel request is recorded", async () => {
    const rows = await readOrders(trader);
    return rows.length === ORDERS && rows.every(({ isCancelRequested }) => isCancelRequested);
  });
  await asked.product.crash();
  await canceling;
  expect(await readVenueStatuses(ids)).toEqual(ids.map(() => "open"));

  ground.network.fault = () => null;
  await start();
  await until("every order is canceled here", async () => {
    const rows = await readOrders(trader);
    return rows.every(({ status, held }) => status === "canceled" && held === "0");
  });
  expect(await readVenueStatuses(ids)).toEqual(ids.map(() => "canceled"));
  expect(await findDisagreements(ground)).toEqual([]);
});
