import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { NO_CONDITIONS } from "@/lib/venue/port";
import { ONE, type Price, price, type Shares, shares } from "@/lib/units";
import { paperVenue } from "@/lib/venue/paper";
import { loadMarket } from "@/lib/venue/paper/load";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { withTransaction } from "@/lib/db/client";
import { useFreshDatabase } from "@/tests/support/database";
import {
  freshMarket,
  houseBest,
  insideOf,
  place,
  tokenOf,
  useTestClock,
} from "@/tests/support/exchange";
import { biographyOf, fillsOf, orderRow } from "@/tests/support/exchange-ledger";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const LONG = 120_000;
/** More than what is read of a book at first. */
const MANY = 30;
const SIZE = shares(5_000_000n);
const times = (count: number): Shares => shares(SIZE * BigInt(count));
const complementOf = (at: bigint): Price => price(ONE - at);

/** Asks by this user, one after the other at one book price. */
async function restAsks(user: TestUser, market: PaperMarket, at: Price, count: number) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const ask = { market, action: "BUY", outcome: 1, limit: complementOf(at), size: SIZE } as const;
    ids.push((await place(user, ask)).orderId);
  }
  return ids;
}

const statusesOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await orderRow(id)).status));

describe("a taker that uses up more than what was read of the book", () => {
  it(
    "reads on, and meets everybody in the order of price and time, the house last at its price",
    async () => {
      const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
      const houseAsk = houseBest(market, "ask", clock.now) ?? ONE;
      const behind = await restAsks(maker, market, houseAsk, 3);
      const first = await restAsks(maker, market, insideOf(market)(1), MANY);
      const better = await restAsks(maker, market, insideOf(market)(0), 2);
      const buy = { market, action: "BUY", outcome: 0, limit: houseAsk } as const;
      const { orderId, status } = await place(taker, { ...buy, size: times(MANY + 7) });
      expect(status).toBe("filled");
      const all = [...better, ...first, ...behind];
      expect(new Set(await statusesOf(all))).toEqual(new Set(["filled"]));
      const fills = await fillsOf(orderId);
      const prices = [
        ...better.map(() => insideOf(market)(0)),
        ...first.map(() => insideOf(market)(1)),
        ...behind.map(() => houseAsk),
        houseAsk,
      ];
      expect(fills.map((fill) => fill.price)).toEqual(prices);
      // Two orders' worth was left for the house.
      expect(fills.at(-1)?.shares).toBe(times(2));
      const made = await Promise.all(all.map(fillsOf));
      const trades = made.flat().map((fill) => fill.tradeId);
      expect(fills.slice(0, -1).map((fill) => fill.tradeId)).toEqual(trades);
    },
    LONG,
  );

  it(
    "stops where it is full, and whoever comes next goes on at the same order",
    async () => {
      const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
      const at = insideOf(market)(0);
      const asks = await restAsks(maker, market, at, MANY);
      const buy = { market, action: "BUY", outcome: 0, worst: at } as const;
      await place(taker, { ...buy, size: times(MANY - 3) });
      const filled = asks.slice(0, MANY - 3);
      expect(new Set(await statusesOf(filled))).toEqual(new Set(["filled"]));
      expect(new Set(await statusesOf(asks.slice(MANY - 3)))).toEqual(new Set(["open"]));
      const rest = await place(taker, { ...buy, size: times(5) });
      expect(await orderRow(rest.orderId)).toMatchObject({
        status: "canceled",
        filledShares: times(3),
      });
    },
    LONG,
  );

  it(
    "cancels all of its own orders in its way before it trades with others",
    async () => {
      const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
      const at = insideOf(market)(0);
      const own = await restAsks(taker, market, at, MANY);
      const [other = ""] = await restAsks(maker, market, at, 1);
      const buy = { market, action: "BUY", outcome: 0, worst: at, size: SIZE } as const;
      const { status } = await place(taker, buy);
      expect(status).toBe("filled");
      expect((await orderRow(other)).status).toBe("filled");
      for (const id of own)
        expect(await biographyOf(id)).toEqual([
          "received",
          "opened",
          "canceled:self_trade_prevention",
        ]);
    },
    LONG,
  );

  it(
    "fills or kills over all of them",
    async () => {
      const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
      const at = insideOf(market)(0);
      const asks = await restAsks(maker, market, at, MANY);
      const fillOrKill = (orderId: string, size: Shares) =>
        withTransaction((tx) =>
          paperVenue.submitOrder(
            tx,
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
              rehearsal: null,
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
              answerOf: () => ({ status: 200, body: "{}" }),
            },
          ),
        );
      expect(await fillOrKill("ord_too_much", times(MANY + 1))).toMatchObject({
        outcome: "rejected",
        code: "ORDER_NOT_FILLED",
      });
      expect(new Set(await statusesOf(asks))).toEqual(new Set(["open"]));
      expect(await fillOrKill("ord_in_full", times(MANY))).toMatchObject({ status: "filled" });
      expect(new Set(await statusesOf(asks))).toEqual(new Set(["filled"]));
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

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe("what an order reads of a deep book", () => {
  it("comes from its index, as many orders as it may meet at first and no more", async () => {
    const [maker, market] = [await makeUser(), freshMarket()];
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
        // Five thousand more like it, in two hundred places of the queue, gone with the transaction.
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
        const taker = { side: "ask", limit: null } as const;
        const own = { userId: maker.userId, tokenId: tokenOf(market, 0), asset: "usdc" };
        const loaded = await loadMarket(explaining, market, time, { taker, depth: 24, own });
        expect(loaded.rows).toHaveLength(24);
        expect(plans).toHaveLength(1);
        const reads = plans.flatMap(nodesOf).filter((node) => node["Relation Name"] === "orders");
        expect(reads.map((node) => node["Node Type"])).toEqual(Array(3).fill("Index Scan"));
        const touched = reads.map(
          (node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0),
        );
        expect(touched.toSorted((a, b) => b - a)).toEqual([24, 0, 0]);
        throw new Undo();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
  });
});

class Undo extends Error {}
