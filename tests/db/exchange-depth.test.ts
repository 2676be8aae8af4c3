import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { NO_CONDITIONS } from "@/lib/venue/port";
import { ONE, type Price, price, type Shares, shares } from "@/lib/units";
import { paperVenue } from "@/lib/exchange";
import { loadMarket } from "@/lib/exchange/load-market";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  houseBest,
  findPriceInside,
  place,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { readOrderEvents, readFills, orderRow } from "@/tests/support/exchange/ledger";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const LONG = 120_000;
/** More orders than the first load of a book has. */
const MANY = 30;
const SIZE = shares(5_000_000n);
const times = (count: number): Shares => shares(SIZE * BigInt(count));
const toComplement = (at: bigint): Price => price(ONE - at);

/** Places asks of one user, one after the other, at one book price. */
async function restAsks(user: TestUser, market: PaperMarket, at: Price, count: number) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const ask = { market, action: "BUY", outcome: 1, limit: toComplement(at), size: SIZE } as const;
    ids.push((await place(user, ask)).orderId);
  }
  return ids;
}

const readStatuses = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await orderRow(id)).status));

describe("a taker that fills more orders than the first load of the book has", () => {
  it(
    "loads more and matches in price-time priority, with the house last at its price",
    async () => {
      const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
      const houseAsk = houseBest(market, "ask", clock.now) ?? ONE;
      const behind = await restAsks(maker, market, houseAsk, 3);
      const first = await restAsks(maker, market, findPriceInside(market)(1), MANY);
      const better = await restAsks(maker, market, findPriceInside(market)(0), 2);
      const buy = { market, action: "BUY", outcome: 0, limit: houseAsk } as const;
      const { orderId, status } = await place(taker, { ...buy, size: times(MANY + 7) });
      expect(status).toBe("filled");
      const all = [...better, ...first, ...behind];
      expect(new Set(await readStatuses(all))).toEqual(new Set(["filled"]));
      const fills = await readFills(orderId);
      const prices = [
        ...better.map(() => findPriceInside(market)(0)),
        ...first.map(() => findPriceInside(market)(1)),
        ...behind.map(() => houseAsk),
        houseAsk,
      ];
      expect(fills.map((fill) => fill.price)).toEqual(prices);
      // The size of two orders remains for the house.
      expect(fills.at(-1)?.shares).toBe(times(2));
      const made = await Promise.all(all.map(readFills));
      const trades = made.flat().map((fill) => fill.tradeId);
      expect(fills.slice(0, -1).map((fill) => fill.tradeId)).toEqual(trades);
    },
    LONG,
  );

  it(
    "stops when it is filled, and the next taker continues with the same maker",
    async () => {
      const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
      const at = findPriceInside(market)(0);
      const asks = await restAsks(maker, market, at, MANY);
      const buy = { market, action: "BUY", outcome: 0, worst: at } as const;
      await place(taker, { ...buy, size: times(MANY - 3) });
      const filled = asks.slice(0, MANY - 3);
      expect(new Set(await readStatuses(filled))).toEqual(new Set(["filled"]));
      expect(new Set(await readStatuses(asks.slice(MANY - 3)))).toEqual(new Set(["open"]));
      const rest = await place(taker, { ...buy, size: times(5) });
      expect(await orderRow(rest.orderId)).toMatchObject({
        status: "canceled",
        filledShares: times(3),
      });
    },
    LONG,
  );

  it(
    "cancels all of its owner's crossed orders before it trades with others",
    async () => {
      const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
      const at = findPriceInside(market)(0);
      const own = await restAsks(taker, market, at, MANY);
      const [other = ""] = await restAsks(maker, market, at, 1);
      const buy = { market, action: "BUY", outcome: 0, worst: at, size: SIZE } as const;
      const { status } = await place(taker, buy);
      expect(status).toBe("filled");
      expect((await orderRow(other)).status).toBe("filled");
      for (const id of own)
        expect(await readOrderEvents(id)).toEqual([
          "received",
          "opened",
          "canceled:self_trade_prevention",
        ]);
    },
    LONG,
  );

  it(
    "fills a fill-or-kill order from all of them",
    async () => {
      const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
      const at = findPriceInside(market)(0);
      const asks = await restAsks(maker, market, at, MANY);
      const fillOrKill = (orderId: string, size: Shares) =>
        paperVenue.submitOrder(
          {
            orderId,
            userId: taker.userId,
            keyId: taker.principal.keyId,
            market,
            outcome: 0,
            intent: { type: "market", action: "BUY", worstPrice: at, shares: size, amount: null },
            conditions: { ...NO_CONDITIONS, isFillOrKill: true },
            idempotencyKey: orderId,
            receivedAt: clock.now,
            simulatedFault: null,
            canAskOwner: false,
          },
          {
            claim: {
              userId: taker.userId,
              keyHash: orderId,
              fingerprint: orderId,
              fields: {},
              orderId,
              createdAt: new Date(clock.now),
            },
            toAnswer: () => ({ status: 200, body: "{}" }),
          },
        );
      expect(await fillOrKill("ord_too_much", times(MANY + 1))).toMatchObject({
        outcome: "rejected",
        code: "ORDER_NOT_FILLED",
      });
      expect(new Set(await readStatuses(asks))).toEqual(new Set(["open"]));
      expect(await fillOrKill("ord_in_full", times(MANY))).toMatchObject({ status: "filled" });
      expect(new Set(await readStatuses(asks))).toEqual(new Set(["filled"]));
    },
    LONG,
  );
});

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

const flattenPlan = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(flattenPlan),
];

describe("the load of a deep book", () => {
  it("uses the index and reads only as many orders as its depth", async () => {
    const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
    const { orderId } = await place(maker, {
      market,
      action: "BUY",
      outcome: 0,
      limit: price(10_000n),
      size: SIZE,
    });
    const db = await getDb();
    await db
      .transaction(async (tx) => {
        // Adds 5,000 copies at 200 prices. The rollback removes them.
        await tx.execute(sql`insert into orders
          select (o).* from (
            select jsonb_populate_record(orders, jsonb_build_object('id', 'ord_deep_' || n,
              'sequence', 1000000 + n, 'book_price_micro', 10000 + n % 200)) as o
            from orders, generate_series(1, 5000) n where orders.id = ${orderId}::text) copies`);
        await tx.execute(sql`analyze orders`);
        const plans: PlanNode[] = [];
        const explaining = Object.create(tx, {
          execute: {
            value: async (statement: typeof sql.prototype) => {
              const [row] = await selectRows<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
                tx,
                sql`explain (analyze, format json) ${statement}`,
              );
              const [plan] = row?.["QUERY PLAN"] ?? [];
              if (plan) plans.push(plan.Plan);
              return tx.execute(statement);
            },
          },
        }) as typeof tx;
        const time = { now: clock.now, market: clock.now };
        const takers = [{ side: "ask", limit: null }] as const;
        const owner = { userId: taker.userId, tokenId: getToken(market, 0), asset: "usdc" };
        const loaded = await loadMarket(explaining, market, time, {
          takers,
          depth: 24,
          owner,
        });
        expect(loaded.rows).toHaveLength(24);
        expect(plans).toHaveLength(1);
        const reads = plans
          .flatMap(flattenPlan)
          .filter((node) => node["Relation Name"] === "orders");
        // Both sides, due orders, and the count of the taker's open orders.
        expect(reads).toHaveLength(4);
        for (const node of reads) expect(node["Node Type"]).toMatch(/Index|Bitmap/);
        const touched = reads.map(
          (node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0),
        );
        expect(touched.toSorted((a, b) => b - a)).toEqual([24, 0, 0, 0]);
        throw new Undo();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
  });
});

class Undo extends Error {}
