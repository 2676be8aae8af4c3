import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  allOrders,
  type Answer,
  anyToken,
  cleanUpAfterwards,
  readCode,
  readData,
  expectCleanBooks,
  listMarkets,
  newKey,
  NO_LIMITS,
  type Order,
  preparedDataDir,
  type Product,
  send,
  type SeededUser,
  seedUsers,
  startPrepared,
} from "@/tests/support/product/product";
import { Random, readSeed } from "@/tests/support/random";

cleanUpAfterwards();

/** Races of each kind. RACES=334 gives a thousand, with those of tests/db/exchange-expiry.test.ts. */
const RACES = Number(process.env["RACES"] ?? 20);
/** Rounds of fifty concurrent posts of one key. */
const SAME_KEY_ROUNDS = Number(process.env["SAME_KEY_ROUNDS"] ?? 3);
const RACE_MS = 4_000;
const HOUR_MS = 3_600_000;
const AT_ONCE = 4;
/** The largest head start, so that neither the cancel nor the fill always wins. */
const LEAD_MS = 40;
const CANCELS = 4;
const USERS = 4;

let product: Product;
let users: SeededUser[] = [];
const random = new Random(readSeed());

beforeAll(async () => {
  const dataDir = preparedDataDir();
  users = await seedUsers({ DATA_DIR: dataDir }, USERS, "100000");
  product = await startPrepared({ dataDir, env: NO_LIMITS });
  process.stdout.write(`races: PRODUCT_SEED=${random.seed}\n`);
});

afterAll(async () => {
  expect((await product.stop()).code).toBe(0);
  await expectCleanBooks({ DATA_DIR: product.dataDir });
});

const ask = (user: SeededUser | undefined, method: string, path: string, body?: unknown) =>
  send(product.port, { method, path, key: user?.apiKey, body });
const place = (user: SeededUser | undefined, body: Record<string, unknown>) =>
  ask(user, "POST", "/v1/orders", { idempotencyKey: newKey("race"), ...body });
const cancel = (user: SeededUser | undefined, orderId: string) =>
  ask(user, "DELETE", `/v1/orders/${orderId}`);
const read = async (user: SeededUser | undefined, orderId: string): Promise<Order> =>
  readData(await ask(user, "GET", `/v1/orders/${orderId}`));

/** A market with an empty price level inside its spread. */
async function findPriceInside() {
  const markets = await listMarkets(product.port, users[0]?.apiKey ?? "", 100);
  for (const { tickSize, closesAt, outcomes } of random.shuffle(markets)) {
    // An order is refused once its market has closed.
    if (Date.parse(closesAt) < Date.now() + HOUR_MS) continue;
    const [first, second] = outcomes;
    const { bestBid = null, bestAsk = null } = first ?? {};
    if (tickSize !== "0.01" || !first || !second || bestBid === null || bestAsk === null) continue;
    const cents = Math.round(bestBid * 100) + 1;
    // Twenty shares of either outcome are worth a dollar, the minimum of an order that fills immediately.
    if (cents >= Math.round(bestAsk * 100) || cents < 5 || cents > 95) continue;
    return { tokenId: first.tokenId, other: second.tokenId, cents };
  }
  throw new Error("no market has room inside its spread");
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  const queue = Array.from({ length: count }, (_, index) => index).values();
  const worker = async () => {
    for (const index of queue) await work(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Checks that a cancel returned 200 or 400, and that the order agrees, now and in a repeated read. */
async function expectSettled(user: SeededUser | undefined, orderId: string, told: Answer) {
  const order = await read(user, orderId);
  if (told.status === 200) {
    expect(readData<Order>(told)).toMatchObject({
      id: orderId,
      status: "canceled",
      filledShares: order.filledShares,
    });
    expect(order.status).toBe("canceled");
  } else {
    expect([told.status, readCode(told)]).toEqual([400, "ORDER_NOT_CANCELABLE"]);
    expect(order.status).toBe("filled");
  }
  expect((await cancel(user, orderId)).text).toBe(told.text);
  const filled = order.fills.reduce((sum, { shares }) => sum + shares, 0);
  expect(filled).toBeCloseTo(order.filledShares, 6);
  return order;
}

describe("a cancel", () => {
  it(
    `against a fill, ${RACES} times: what it says is what happened`,
    async () => {
      const ends = new Map<string, number>();
      await inParallel(RACES, async (index) => {
        const [maker, taker] = [users[index % 2], users[2 + (index % 2)]];
        const { tokenId, other, cents } = await findPriceInside();
        const limit = { action: "BUY", orderType: "limit", shares: 40 };
        const placed = await place(maker, { ...limit, tokenId, price: cents / 100 });
        const { orderId } = readData<{ orderId: string }>(placed);
        const taking = { ...limit, tokenId: other, price: (100 - cents) / 100 };
        const race = [
          () => cancel(maker, orderId),
          () => place(taker, random.chance(0.5) ? taking : { ...taking, shares: 20 }),
        ];
        const isFirst = random.chance(0.5);
        const leads = [0, random.integer(0, LEAD_MS)];
        const answers = await Promise.all(
          (isFirst ? race : race.toReversed()).map((go, start) => wait(leads[start]).then(go)),
        );
        const [told, taken] = isFirst ? answers : answers.toReversed();
        if (!told || !taken) throw new Error("both are answered");
        const { status, filledShares } = await expectSettled(maker, orderId, told);
        const end = filledShares > 0 && status === "canceled" ? "canceled in part" : status;
        ends.set(end, (ends.get(end) ?? 0) + 1);
        expect(taken.status, taken.text).toBe(200);
        await cancel(taker, readData<{ orderId: string }>(taken).orderId);
      });
      process.stdout.write(`races: fills ${JSON.stringify(Object.fromEntries(ends))}\n`);
      // Both outcomes must occur, or nothing has raced.
      expect(ends.size).toBeGreaterThan(1);
    },
    60_000 + RACES * RACE_MS,
  );

  it(
    `against ${CANCELS - 1} others, ${RACES} times: one answer for all, and one cancel on record`,
    async () => {
      const [user] = users;
      const tokenId = await anyToken(product.port, user?.apiKey ?? "");
      const resting = { tokenId, action: "BUY", orderType: "limit", price: 0.01, shares: 10 };
      await inParallel(RACES, async () => {
        const { orderId } = readData<{ orderId: string }>(await place(user, resting));
        const path = `/v1/orders/${orderId}`;
        const answers = await Promise.all(
          Array.from({ length: CANCELS }, () => ask(user, "DELETE", path)),
        );
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        expect(answers[0]?.status).toBe(200);
        const record = readData<{ events: { type: string }[] }>(await ask(user, "GET", path));
        const canceled = record.events.filter(({ type }) => type === "canceled");
        expect(canceled).toHaveLength(1);
      });
    },
    60_000 + RACES * RACE_MS,
  );
});

describe("fifty concurrent posts of one key", () => {
  it(
    `are one order, ${SAME_KEY_ROUNDS} times`,
    async () => {
      const [user] = users;
      const tokenId = await anyToken(product.port, user?.apiKey ?? "");
      for (let round = 0; round < SAME_KEY_ROUNDS; round += 1) {
        const idempotencyKey = newKey("same");
        const terms = random.pick([
          { orderType: "market", amount: 2 },
          { orderType: "limit", price: 0.01, shares: 10 },
          { orderType: "limit", price: 0.01, shares: 10_000_000 },
        ]);
        const body = { tokenId, action: "BUY", ...terms, idempotencyKey };
        const answers = await Promise.all(Array.from({ length: 50 }, () => place(user, body)));
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        const replayed = answers.filter(({ headers }) => headers["idempotent-replayed"] === "true");
        expect(replayed).toHaveLength(49);
        const found = await ask(user, "GET", "/v1/orders?limit=5");
        const own = readData<{ orders: Order[] }>(found).orders.filter(
          (order) => order.idempotencyKey === idempotencyKey,
        );
        expect(own).toHaveLength(1);
      }
      const keys = (await allOrders(product.port, user?.apiKey ?? "")).map(
        (order) => order.idempotencyKey,
      );
      expect(new Set(keys).size).toBe(keys.length);
    },
    60_000 + SAME_KEY_ROUNDS * RACE_MS,
  );
});
