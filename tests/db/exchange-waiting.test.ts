import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { cancelOrder } from "@/lib/services/orders/cancel-order";
import { ONE, price, shares, usdc } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { useFreshDatabase } from "@/tests/support/database";
import {
  freshMarket,
  houseBest,
  insideOf,
  place,
  REPRICE,
  useTestClock,
} from "@/tests/support/exchange";
import { fillsOf, orderRow } from "@/tests/support/exchange-ledger";
import { until } from "@/tests/support/product-process";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SIZE = shares(20_000_000n);
const WITHIN_MS = 3_000;

/** Begins `work` while somebody else has the market, who lets it go after `meanwhile`. */
async function whileLocked<T>(
  market: PaperMarket,
  work: () => Promise<T>,
  meanwhile: () => void,
): Promise<T> {
  const [db, first] = [await getDb(), await makeUser()];
  const bid = { market, action: "BUY", outcome: 0, limit: price(10_000n), size: SIZE } as const;
  // The market's row is there from its first order on.
  await cancelOrder(first.principal, (await place(first, bid)).orderId);
  const { working } = await db.transaction(async (tx) => {
    await tx.execute(sql`select id from markets where id = ${market.id}::text for update`);
    const begun = work();
    await until(WITHIN_MS, "somebody waits for the market", async () => {
      const waiting = await selectRows(db, sql`select from pg_locks where not granted`);
      return waiting.length > 0;
    });
    meanwhile();
    return { working: begun };
  });
  return working;
}

// The embedded database has one connection, so there nobody waits for a market.
describe.runIf(process.env["TEST_DATABASE"] === "postgres")(
  "who waits for a market (server only)",
  () => {
    it("meets the quotes of the moment at which it is its turn", async () => {
      const [market, user] = [freshMarket({ depth: "deep" }), await makeUser()];
      const askAt = (at: number) => houseBest(market, "ask", at);
      for (
        let steps = 0;
        askAt(clock.now) === askAt(clock.now + REPRICE) && steps < 100;
        steps += 1
      )
        clock.advance(REPRICE);
      // A second before they move, so that the wait is a short one.
      clock.advance(REPRICE - 1_000);
      const before = askAt(clock.now);
      const buy = { market, action: "BUY", outcome: 0, amount: usdc(5_000_000n) } as const;
      const { orderId } = await whileLocked(
        market,
        () => place(user, { ...buy, worst: price(990_000n) }),
        () => clock.advance(1_500),
      );
      expect(askAt(clock.now)).not.toBe(before);
      expect((await fillsOf(orderId)).map((fill) => fill.price)).toEqual([askAt(clock.now)]);
    });

    it("comes after an order whose delay is over meanwhile", async () => {
      const [market, user, later] = [freshMarket(), await makeUser(), await makeUser()];
      const at = insideOf(market)(1);
      const no = { market, action: "BUY", outcome: 1, limit: price(ONE - at) } as const;
      await place(await makeUser(), { ...no, size: SIZE });
      const buy = { market, action: "BUY", outcome: 0, limit: at, size: SIZE } as const;
      const delayed = await place(user, buy, "delayed");
      clock.advance(2_000);
      const second = await whileLocked(
        market,
        () => place(later, buy),
        () => clock.advance(1_500),
      );
      expect((await orderRow(delayed.orderId)).status).toBe("filled");
      expect(second.status).toBe("open");
    });

    it("is told that it has closed meanwhile, and its key stays free", async () => {
      const [market, user] = [freshMarket(), await makeUser()];
      const amount = usdc(5_000_000n);
      const closing = whileLocked(
        market,
        () => place(user, { market, action: "BUY", outcome: 0, amount }),
        () => clock.set(market.closesAt),
      );
      await expect(closing).rejects.toMatchObject({ code: "MARKET_CLOSED" });
      const ofUser = sql`select from idempotency_keys where user_id = ${user.userId}`;
      expect(await selectRows(await getDb(), ofUser)).toEqual([]);
    });
  },
);

describe("orders that one account cannot all pay", () => {
  it("sent at once to several markets: what it pays is accepted, the rest is told what is missing", async () => {
    const user = await makeUser(usdc(25_000_000n));
    const sent = Array.from({ length: 6 }, () => {
      const market = freshMarket();
      const size = shares(SIZE);
      return { market, action: "BUY", outcome: 0, limit: insideOf(market)(0), size } as const;
    });
    const placed = await Promise.all(sent.map((wish) => place(user, wish)));
    const rows = await Promise.all(placed.map(({ orderId }) => orderRow(orderId)));
    const reserved = rows.reduce((sum, { held }) => sum + held, 0n);
    expect(reserved <= 25_000_000n).toBe(true);
    const refused = placed.filter(({ status }) => status === null);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["INSUFFICIENT_BALANCE"]));
    expect(placed.length - refused.length).toBeGreaterThan(0);
  });
});
