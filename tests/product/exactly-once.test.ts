import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  allOrders,
  type Answer,
  anyToken,
  cleanUpAfterwards,
  readCode,
  readData,
  expectCleanBooks,
  newKey,
  NO_LIMITS,
  NoAnswer,
  type Order,
  preparedDataDir,
  type Product,
  send,
  type SeededUser,
  seedUsers,
  startPrepared,
  startProduct,
  traderKey,
  until,
} from "@/tests/support/product/product";
import { Random, readSeed } from "@/tests/support/random";

cleanUpAfterwards();

const KEYS = 200;
const TIMES = 6;
const CONCURRENCY = 16;
const seed = readSeed();

let product: Product;
let key = "";
let tokenId = "";
let poor: SeededUser;

beforeAll(async () => {
  const dataDir = preparedDataDir();
  const [user] = await seedUsers({ DATA_DIR: dataDir }, 1, "20");
  if (!user) throw new Error("no user was seeded");
  poor = user;
  product = await startPrepared({ dataDir, env: NO_LIMITS });
  key = traderKey();
  tokenId = await anyToken(product.port, key);
  process.stdout.write(`exactly once: PRODUCT_SEED=${seed}\n`);
});

afterAll(async () => {
  expect((await product.stop()).code).toBe(0);
  await expectCleanBooks({ DATA_DIR: product.dataDir });
});

const place = (body: unknown, options: { as?: string; fault?: string } = {}): Promise<Answer> =>
  send(product.port, {
    method: "POST",
    path: "/v1/orders",
    key: options.as ?? key,
    body,
    ...(options.fault === undefined ? {} : { headers: { "x-rehearse": options.fault } }),
  });

const cancel = (orderId: string, fault?: string): Promise<Answer> =>
  send(product.port, {
    method: "DELETE",
    path: `/v1/orders/${orderId}`,
    key,
    ...(fault === undefined ? {} : { headers: { "x-rehearse": fault } }),
  });

const read = async (orderId: string, as = key): Promise<Order> =>
  readData(await send(product.port, { method: "GET", path: `/v1/orders/${orderId}`, key: as }));

/** The account's orders with an idempotency key. There must never be two. */
const listOrders = async (idempotencyKey: string): Promise<Order[]> =>
  (await allOrders(product.port, key)).filter((order) => order.idempotencyKey === idempotencyKey);

const isReplay = (answer: Answer) => answer.headers["idempotent-replayed"] === "true";
const marketBuy = (idempotencyKey: string, amount = 2) => ({
  tokenId,
  action: "BUY",
  orderType: "market",
  amount,
  idempotencyKey,
});
const restingBuy = (idempotencyKey: string) => ({
  tokenId,
  action: "BUY",
  orderType: "limit",
  price: 0.01,
  shares: 10,
  idempotencyKey,
});

/** Keys that faulty code could confuse, and plain ones. */
function anyKeys(random: Random): string[] {
  const odd = [
    "a",
    "A",
    "a ",
    " a",
    "é",
    "e\u0301",
    "\uFB01",
    "fi",
    "\u0000",
    "\u0000\u0000",
    "\uD800",
    "\uDFFF",
    "\uFFFD",
    "🎲".repeat(128),
    "x".repeat(128),
    "null",
    "0",
    "__proto__",
    "'; drop table orders; --",
  ];
  const plain = Array.from({ length: KEYS - odd.length }, () => newKey("replayed"));
  return random.shuffle([...odd, ...plain]);
}

/** The same order in one of several JSON spellings. */
function spell(random: Random, order: Record<string, unknown>): string {
  const entries = random.shuffle(Object.entries(order)).map(([name, value]) => {
    const text =
      typeof value === "number"
        ? random.pick([`${value}`, `${value}e0`, `${value * 10}e-1`])
        : JSON.stringify(value);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${[...entries, ...(random.chance(0.3) ? ['"comment":"ignored"'] : [])].join(", ")}}`;
}

/** Orders that fill, that rest, and that are rejected permanently. */
function anyOrder(random: Random, idempotencyKey: string): Record<string, unknown> {
  return random.pick([
    marketBuy(idempotencyKey, random.integer(1, 3)),
    marketBuy(idempotencyKey, random.integer(1, 3)),
    restingBuy(idempotencyKey),
    { ...restingBuy(idempotencyKey), shares: 10_000_000 },
    { ...marketBuy(idempotencyKey), price: 0.01 },
    { ...restingBuy(idempotencyKey), action: "SELL", price: 0.9 },
  ]);
}

describe("200 keys, six times each, in any order", () => {
  const random = new Random(seed);
  const orders = new Map<string, Record<string, unknown>>();
  const answers = new Map<string, Answer[]>();

  it("create one order each, and every repetition returns the first response byte for byte", async () => {
    for (const name of anyKeys(random)) orders.set(name, anyOrder(random, name));
    const queue = random
      .shuffle([...orders.keys()].flatMap((name) => Array<string>(TIMES).fill(name)))
      .values();
    const work = async () => {
      for (const name of queue) {
        const answer = await place(spell(random, orders.get(name) ?? {}));
        answers.set(name, [...(answers.get(name) ?? []), answer]);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));

    for (const [name, all] of answers) {
      expect(all).toHaveLength(TIMES);
      expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size, name).toBe(1);
      expect(all.filter(isReplay), `${name}: ${all[0]?.text}`).toHaveLength(TIMES - 1);
    }
    const statuses = [...answers.values()].map(([first]) => first?.status);
    expect(new Set(statuses)).toEqual(new Set([200, 400]));
    const found = await allOrders(product.port, key);
    const byKey = new Map(found.map((order) => [order.idempotencyKey, order]));
    expect(found).toHaveLength(KEYS);
    expect(new Set(byKey.keys())).toEqual(new Set(orders.keys()));
    for (const [name, [first]] of answers) {
      if (first?.status === 200) expect(readData(first)["orderId"]).toBe(byKey.get(name)?.id);
      else expect(byKey.get(name)?.status).toBe("rejected");
    }
  });

  it("get the same responses after a restart", async () => {
    expect((await product.stop()).code).toBe(0);
    const before = answers.size;
    product = await startProduct({ dataDir: product.dataDir, env: NO_LIMITS });
    const queue = answers.entries();
    const work = async () => {
      for (const [name, [first]] of queue) {
        const answer = await place(orders.get(name));
        expect(answer.status).toBe(first?.status);
        expect(answer.text).toBe(first?.text);
        expect(isReplay(answer)).toBe(true);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    expect(before).toBe(KEYS);
    expect(await allOrders(product.port, key)).toHaveLength(KEYS);
  });
});

describe("concurrently", () => {
  it("50 posts of one key create one order and get one response", async () => {
    const body = marketBuy(newKey("parallel"), 3);
    const answers = await Promise.all(Array.from({ length: 50 }, () => place(body)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter(isReplay)).toHaveLength(49);
    expect(await listOrders(body.idempotencyKey)).toHaveLength(1);
  });

  it("50 posts of one key with two different orders create one order, and half are rejected", async () => {
    const name = newKey("contested");
    const bodies = [marketBuy(name, 2), marketBuy(name, 3)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => place(bodies[index % 2])),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expect(refused.status).toBe(400);
      expect(readCode(refused)).toBe("IDEMPOTENCY_KEY_REUSED");
    }
    expect(await listOrders(name)).toHaveLength(1);
  });

  it("64 orders for three times the balance spend at most the balance", async () => {
    const { apiKey } = poor;
    const bodies = Array.from({ length: 64 }, (_, index) =>
      index % 2 === 0
        ? marketBuy(newKey("spend"), 1)
        : { ...restingBuy(newKey("reserve")), price: 0.1, shares: 10 },
    );
    const answers = await Promise.all(bodies.map((body) => place(body, { as: apiKey })));
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expect(readCode(refused)).toBe("INSUFFICIENT_BALANCE");
    }
    const accepted: Order[] = [];
    for (const answer of answers.filter(({ status }) => status === 200)) {
      accepted.push(await read(String(readData(answer)["orderId"]), apiKey));
    }
    const spent = accepted.reduce((sum, order) => sum + spentOn(order), 0);
    const reserved = accepted
      .filter(({ status }) => status === "open")
      .reduce(
        (sum, order) =>
          sum + toMicro((order.price ?? 0) * ((order.shares ?? 0) - order.filledShares)),
        0,
      );
    expect(spent + reserved).toBeLessThanOrEqual(20_000_000);
    // No affordable order was rejected: less than the cost of one order is left.
    expect(spent + reserved).toBeGreaterThan(20_000_000 - 1_200_000);

    const balance = await send(product.port, {
      method: "GET",
      path: "/v1/account/balance",
      key: apiKey,
    });
    expect(Number(readData(balance)["balanceBaseUnit"])).toBe(20_000_000 - spent);
    await send(product.port, { method: "DELETE", path: "/v1/orders", key: apiKey });
    const after = await send(product.port, {
      method: "GET",
      path: "/v1/account/balance",
      key: apiKey,
    });
    expect(after.text).toBe(balance.text);
  });
});

const toMicro = (amount: number) => Math.round(amount * 1_000_000);
/** Returns an order's cost so far, in millionths. */
const spentOn = ({ fills }: Order) =>
  fills.reduce((sum, { amount, fee }) => sum + toMicro(amount) + toMicro(fee), 0);

describe("a simulated failure of POST, followed by the same request", () => {
  it.each(["lost-answer", "timeout"])(
    "%s: the order exists, and the answer comes with the repetition",
    async (kind) => {
      const body = marketBuy(newKey(kind));
      if (kind === "lost-answer")
        await expect(place(body, { fault: kind })).rejects.toThrow(NoAnswer);
      else expect(readCode(await place(body, { fault: kind }))).toBe("ORDER_OUTCOME_UNKNOWN");
      expect(await listOrders(body.idempotencyKey)).toHaveLength(1);
      const repeated = await place(body);
      expect(readData(repeated)).toMatchObject({ status: "filled" });
      expect(isReplay(repeated)).toBe(true);
      expect(await listOrders(body.idempotencyKey)).toHaveLength(1);
    },
  );

  it("unavailable: no order exists, and the repetition places it", async () => {
    const body = marketBuy(newKey("unavailable"));
    const failed = await place(body, { fault: "unavailable" });
    expect([failed.status, readCode(failed)]).toEqual([502, "UPSTREAM_UNAVAILABLE"]);
    expect(await listOrders(body.idempotencyKey)).toHaveLength(0);
    const repeated = await place(body);
    expect(isReplay(repeated)).toBe(false);
    expect(readData(repeated)).toMatchObject({ status: "filled" });
    expect(await listOrders(body.idempotencyKey)).toHaveLength(1);
  });

  it("slow: the response takes 3 s, and a repetition meanwhile returns the same immediately", async () => {
    const body = marketBuy(newKey("slow"));
    const startedAt = performance.now();
    const slow = place(body, { fault: "slow" });
    await until("the order is executed", async () => (await listOrders(body.idempotencyKey))[0]);
    const repeated = await place(body);
    const { text } = await slow;
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    expect(repeated.text).toBe(text);
    expect(await listOrders(body.idempotencyKey)).toHaveLength(1);
  });

  it("delayed: the order is accepted, listed as open and matched 3 s later", async () => {
    const body = marketBuy(newKey("delayed"));
    const accepted = await place(body, { fault: "delayed" });
    const { orderId } = readData<{ orderId: string }>(accepted);
    expect(readData(accepted)).toMatchObject({ status: "delayed" });
    const open = await send(product.port, {
      method: "GET",
      path: `/v1/orders/open?id=${orderId}`,
      key,
    });
    expect(readData(open)["orders"]).toMatchObject([{ id: orderId, status: "open" }]);
    await until("the order matches", async () => (await read(orderId)).status === "filled");
    const repeated = await place(body);
    expect(repeated.text).toBe(accepted.text);
    expect(await listOrders(body.idempotencyKey)).toHaveLength(1);
  });

  it("an unknown fault is rejected and changes nothing", async () => {
    const body = marketBuy(newKey("unknown-kind"));
    const refused = await place(body, { fault: "explode" });
    expect([refused.status, readCode(refused)]).toEqual([400, "VALIDATION_ERROR"]);
    expect(await listOrders(body.idempotencyKey)).toHaveLength(0);
  });
});

describe("a simulated failure of DELETE, followed by the same request", () => {
  it.each([
    ["lost-answer", "canceled"],
    ["timeout", "canceled"],
    ["unavailable", "open"],
    ["slow", "canceled"],
    ["delayed", "canceled"],
  ])("%s: the order is then %s, and canceled after the repetition", async (kind, expected) => {
    const body = restingBuy(newKey(`cancel-${kind}`));
    const { orderId } = readData<{ orderId: string }>(await place(body));
    if (kind === "lost-answer") await expect(cancel(orderId, kind)).rejects.toThrow(NoAnswer);
    else {
      const { status } = await cancel(orderId, kind);
      expect(status).toBe(kind === "slow" || kind === "delayed" ? 200 : 502);
    }
    expect((await read(orderId)).status).toBe(expected);
    const repeated = await cancel(orderId);
    expect(readData(repeated)).toMatchObject({ id: orderId, status: "canceled" });
    expect((await cancel(orderId)).text).toBe(repeated.text);
    expect(await listOrders(body.idempotencyKey)).toHaveLength(1);
  });
});
