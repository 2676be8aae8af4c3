import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { ONE, price, shares, usdc } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { countLockWaits, useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  houseBest,
  findPriceInside,
  place,
  REPRICE,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { readFills, orderRow } from "@/tests/support/exchange/ledger";
import { until } from "@/tests/support/product/process";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SIZE = shares(20_000_000n);

/** Starts `work` while another transaction has locked the market. It unlocks after `meanwhile`. */
async function whileLocked<T>(
  market: PaperMarket,
  work: () => Promise<T>,
  meanwhile: () => void,
): Promise<T> {
  const [db, first] = [await getDb(), await makeUser()];
  const bid = { market, action: "BUY", outcome: 0, limit: price(10_000n), size: SIZE } as const;
  // A market's row exists since its first order.
  await cancelOrder(first.principal, (await place(first, bid)).orderId);
  const { working } = await db.transaction(async (tx) => {
    await tx.execute(sql`select id from markets where id = ${market.id}::text for update`);
    const begun = work();
    await until("somebody waits for the market", async () => (await countLockWaits()) > 0);
    meanwhile();
    return { working: begun };
  });
  return working;
}

// The embedded database has one connection, so no request waits for a market's lock.
describe.runIf(process.env["TEST_DATABASE"] === "postgres")(
  "an order that waits for a market's lock (server only)",
  () => {
    it("matches the quotes at the time of the lock", async () => {
      const [market, user] = [freshMarket({ depth: "deep" }), await makeUser()];
      const askAt = (at: number) => houseBest(market, "ask", at);
      for (
        let steps = 0;
        askAt(clock.now) === askAt(clock.now + REPRICE) && steps < 100;
        steps += 1
      )
        clock.advance(REPRICE);
      // One second before the quotes move, which keeps the wait short.
      clock.advance(REPRICE - 1_000);
      const before = askAt(clock.now);
      const buy = { market, action: "BUY", outcome: 0, amount: usdc(5_000_000n) } as const;
      const { orderId } = await whileLocked(
        market,
        () => place(user, { ...buy, worst: price(990_000n) }),
        () => clock.advance(1_500),
      );
      expect(askAt(clock.now)).not.toBe(before);
      expect((await readFills(orderId)).map((fill) => fill.price)).toEqual([askAt(clock.now)]);
    });

    it("trades after a delayed order that becomes due during the wait", async () => {
      const [market, user, later] = [freshMarket(), await makeUser(), await makeUser()];
      const at = findPriceInside(market)(1);
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

    it("is refused if the market closes during the wait, and its key stays unused", async () => {
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

describe("concurrent orders that one account can't all pay for", () => {
  it("are accepted up to the balance, and the others are refused with the shortfall", async () => {
    const user = await makeUser(usdc(25_000_000n));
    const sent = Array.from({ length: 6 }, () => {
      const market = freshMarket();
      const size = shares(SIZE);
      return {
        market,
        action: "BUY",
        outcome: 0,
        limit: findPriceInside(market)(0),
        size,
      } as const;
    });
    const placed = await Promise.all(sent.map((order) => place(user, order)));
    const rows = await Promise.all(placed.map(({ orderId }) => orderRow(orderId)));
    const reserved = rows.reduce((sum, { held }) => sum + held, 0n);
    expect(reserved <= 25_000_000n).toBe(true);
    const refused = placed.filter(({ status }) => status === null);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["INSUFFICIENT_BALANCE"]));
    expect(placed.length - refused.length).toBeGreaterThan(0);
  });
});
