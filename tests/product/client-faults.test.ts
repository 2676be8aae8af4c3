// The client against a server that fails in 1,080 ways: each manner at each step of each operation.
import {
  Ante,
  type Market,
  memoryJournal,
  type OrderRequest,
  OutcomeUnknown,
  toMicro,
} from "@ante/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Fault,
  type FaultyProxy,
  MANNERS,
  startFaultyProxy,
} from "@/tests/support/client/faulty-proxy";
import {
  allOrders,
  cleanUpAfterwards,
  expectCleanBooks,
  newKey,
  NO_LIMITS,
  type Product,
  startPrepared,
  traderKey,
} from "@/tests/support/product/product";

cleanUpAfterwards();

/** `CLIENT_FAULT_CASES=1080 npm test -- tests/product/client-faults` runs all. */
const CASES = Number(process.env["CLIENT_FAULT_CASES"] ?? 90);

let product: Product;
let proxy: FaultyProxy;
let ante: Ante;
/** Asks the service without faults in between. */
let direct: Ante;
let market: Market;
const journal = memoryJournal();

beforeAll(async () => {
  product = await startPrepared({ env: NO_LIMITS });
  proxy = await startFaultyProxy(product.port);
  const patience = { apiKey: traderKey(), attemptTimeoutMs: 800, firstPauseMs: 1 };
  ante = new Ante({ baseUrl: proxy.url, journal, ...patience });
  direct = new Ante({ baseUrl: `http://127.0.0.1:${product.port}`, ...patience });
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const { markets } = await direct.markets.list({ limit: 100 }).page();
  const found = markets.find(
    ({ status, closesAt, tickSize, outcomes }) =>
      status === "open" && closesAt > soon && tickSize === "0.01" && outcomes[0]?.bestAsk,
  );
  if (!found) throw new Error("no market is open");
  market = found;
});
afterAll(() => proxy.close());

const tokenId = () => market.outcomes[0]?.tokenId ?? "";
const restingBuy = (): OrderRequest => ({
  tokenId: tokenId(),
  action: "BUY",
  orderType: "limit",
  price: "0.01",
  shares: "10",
});
const marketBuy = (): OrderRequest => ({
  tokenId: tokenId(),
  action: "BUY",
  orderType: "market",
  amount: "2",
});

let failing: Fault;
/** Fails the attempts of `run` only, not those that prepare or check. */
async function failDuring<Result>(run: () => Promise<Result>): Promise<Result> {
  proxy.fail(failing);
  const result = await run();
  expect(proxy.countFailed()).toBe(failing.times);
  return result;
}

async function expectOneOrder(idempotencyKey: string, orderId: string): Promise<void> {
  const orders = await allOrders(product.port, traderKey());
  const found = orders.filter((order) => order.idempotencyKey === idempotencyKey);
  expect(found.map(({ id }) => id)).toEqual([orderId]);
}

/** Runs each operation under faults and checks that it happened once. */
const OPERATIONS: Record<string, () => Promise<void>> = {
  "place a market order": async () => {
    const before = toMicro((await direct.account.balance()).balanceUsdc);
    const placed = await failDuring(() => ante.orders.place(marketBuy()));
    await expectOneOrder(placed.idempotencyKey, placed.orderId);
    const { fills, fee } = await direct.orders.get(placed.orderId);
    const paid = fills.reduce((sum, { amount }) => sum + toMicro(amount), toMicro(fee));
    expect(toMicro((await direct.account.balance()).balanceUsdc)).toBe(before - paid);
  },
  "place a limit order": async () => {
    const placed = await failDuring(() => ante.orders.place(restingBuy()));
    expect(placed.status).toBe("open");
    await expectOneOrder(placed.idempotencyKey, placed.orderId);
    await direct.orders.cancel(placed.orderId);
  },
  "place an order that is refused": async () => {
    const key = newKey("refused");
    const order = { ...restingBuy(), price: "0.99", shares: "1000000" };
    const placing = failDuring(() =>
      ante.orders.place(order, { idempotencyKey: key }).catch((error: unknown) => error),
    );
    expect(await placing).toMatchObject({ name: "ApiError", code: "INSUFFICIENT_BALANCE" });
    expect(await direct.orders.find(key)).toMatchObject({ status: "rejected" });
  },
  "place an order that is invalid": async () => {
    const key = newKey("invalid");
    const order = { ...restingBuy(), price: "0.015" };
    const placing = failDuring(() =>
      ante.orders.place(order, { idempotencyKey: key }).catch((error: unknown) => error),
    );
    expect(await placing).toMatchObject({ name: "ApiError", code: "PRICE_OFF_TICK" });
    expect(await direct.orders.find(key)).toBeNull();
  },
  split: async () => {
    // The newest hundred.
    const list = async () => (await direct.wallet.transactions()).map(({ id }) => id);
    const before = await list();
    const { id } = await failDuring(() =>
      ante.positions.split({ marketId: market.id, shares: "1" }),
    );
    expect((await list()).filter((each) => !before.includes(each))).toEqual([id]);
  },
  "cancel an order": async () => {
    const { orderId } = await direct.orders.place(restingBuy());
    expect(await failDuring(() => ante.orders.cancel(orderId))).toMatchObject({
      status: "canceled",
    });
    const { events } = await direct.orders.get(orderId);
    expect(events.filter(({ type }) => type === "canceled").length).toBe(1);
  },
  "cancel all orders": async () => {
    await direct.orders.place(restingBuy());
    await failDuring(() => ante.orders.cancelAll());
    expect((await direct.orders.listOpen().page()).orders).toEqual([]);
  },
  preview: async () => {
    expect(await failDuring(() => ante.orders.preview(restingBuy()))).toMatchObject({
      refusal: null,
    });
  },
  "read the balance": async () => {
    const read = await failDuring(() => ante.account.balance());
    expect(read).toEqual(await direct.account.balance());
  },
};

const FAULTS: Fault[] = MANNERS.flatMap((manner) =>
  (["before", "after"] as const).flatMap((step) =>
    [1, 2, 3].map((times) => ({ step, manner, times })),
  ),
);
const ALL = Object.keys(OPERATIONS).flatMap((operation) =>
  FAULTS.map((fault) => ({ operation, ...fault })),
);

it("there are 1,080 ways to fail", () => {
  expect(ALL.length).toBe(1_080);
});

describe("under faults, each operation happens once", () => {
  // A prime that divides no count of ways, so that every operation and every manner occurs.
  const drawn = ALL.filter((_, index) => (index * 733) % ALL.length < CASES);

  it.each(drawn)("$operation: $manner $step the service, $times times", async (way) => {
    failing = way;
    await OPERATIONS[way.operation]?.();
    expect(journal.listUnsettled()).toEqual([]);
  });
});

describe("under a fault that outlasts the deadline", () => {
  const steps = ["before", "after"] as const;
  it.each(steps)("an order that fails %s the service is finished by resume", async (step) => {
    proxy.fail({ step, manner: "reset", times: Infinity });
    const placing = ante.orders.place(marketBuy(), { deadlineMs: 300 });
    const error = await placing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutcomeUnknown);
    const { idempotencyKey } = error as OutcomeUnknown;
    const found = await direct.orders.find(idempotencyKey);
    expect(found === null ? "before" : "after").toBe(step);
    proxy.fail({ step, manner: "reset", times: 0 });
    const [resumed] = await ante.orders.resume();
    expect(resumed).toMatchObject({ status: "accepted", entry: { idempotencyKey } });
    const { id } = (await direct.orders.find(idempotencyKey)) ?? {};
    await expectOneOrder(idempotencyKey, id ?? "");
    expect(journal.listUnsettled()).toEqual([]);
  });
});

it("the books agree after all faults", async () => {
  await product.stop();
  await expectCleanBooks({ DATA_DIR: product.dataDir });
});
