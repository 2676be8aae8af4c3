import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";
import { getDatabase, getDb, selectRows, useDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { insertClaim } from "@/lib/db/queries/idempotency";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { setLimits } from "@/lib/limits/change-limits";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { placeOrder } from "@/lib/orders/place-order";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { ONE, price, shares, usdc } from "@/lib/units";
import { openAgain, useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  createBody,
  findPriceInside,
  freshMarket,
  place,
  type Placed,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { readFills } from "@/tests/support/exchange/ledger";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const MANY = 6;
const POOR = usdc(1_000_000n);
const SIZE = shares(5_000_000n);

interface Seat {
  user: TestUser;
  market: PaperMarket;
}

/** The same in each test, because the catalogue has only some dozens that suit. */
const markets: PaperMarket[] = [];

/** Creates users who each trade a market of their own that has traded before. */
async function makeSeats(count = MANY): Promise<Seat[]> {
  while (markets.length < MANY) markets.push(freshMarket());
  const seats: Seat[] = [];
  for (const market of markets.slice(0, count)) {
    const seat = { user: await makeUser(), market };
    await bid(seat);
    seats.push(seat);
  }
  return seats;
}

const toBid = (market: PaperMarket) =>
  ({ market, action: "BUY", outcome: 0, limit: price(10_000n), size: SIZE }) as const;

const bid = ({ user, market }: Seat, key?: string): Promise<Placed> =>
  place(user, { ...toBid(market), ...(key === undefined ? {} : { key }) });

const countOpen = async ({ user }: Seat) =>
  (await listOpenOrders(user.principal, {})).orders.length;

/** Counts the transactions that inserted these orders. */
async function countTransactions(placed: readonly Placed[]): Promise<number> {
  const ids = placed.map(({ orderId }) => orderId);
  const rows = await selectRows(
    await getDb(),
    sql`select distinct xmin::text from orders where id in ${ids}`,
  );
  return rows.length;
}

const first = <T>([value]: readonly T[]): T => {
  if (value === undefined) throw new Error("the list is empty");
  return value;
};

describe("orders that arrive together", () => {
  it("share one transaction if their users and markets differ", async () => {
    const seats = await makeSeats();
    const placed = await Promise.all(seats.map((seat) => bid(seat)));
    expect(placed.map(({ status }) => status)).toEqual(seats.map(() => "open"));
    expect(await countTransactions(placed)).toBe(1);
    for (const seat of seats) expect(await countOpen(seat)).toBe(2);
  });

  it("have their responses stored, each with its own key", async () => {
    const seats = await makeSeats();
    const send = () => Promise.all(seats.map((seat) => bid(seat, "same for all users")));
    const placed = await send();
    expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(MANY);
    expect(await send()).toEqual(placed);
    for (const seat of seats) expect(await countOpen(seat)).toBe(2);
  });

  it("trade with each other's earlier orders and with the house", async () => {
    const seats = await makeSeats();
    const placed = await Promise.all(
      seats.map(({ user, market }) =>
        place(user, { market, action: "BUY", outcome: 0, amount: usdc(2_000_000n) }),
      ),
    );
    expect(placed.map(({ status }) => status)).toEqual(seats.map(() => "filled"));
    expect(await countTransactions(placed)).toBe(1);
  });

  it("each use the book of their own market and the shares of their own user", async () => {
    const seats = await makeSeats();
    const others = seats.slice(1);
    const { user, market } = first(seats);
    const ask = { action: "SELL", outcome: 0, limit: price(990_000n), size: SIZE } as const;
    await place(user, { market, action: "BUY", outcome: 0, amount: usdc(5_000_000n) });
    const asks = await Promise.all(seats.map((seat) => place(seat.user, { ...ask, ...seat })));
    expect(asks.map(({ status }) => status)).toEqual(["open", ...others.map(() => null)]);
    expect(await countTransactions(asks)).toBe(1);

    const limit = price(ONE - findPriceInside(market)(0));
    const best = { market, action: "BUY", outcome: 1, limit, size: SIZE } as const;
    const maker = await place(await makeUser(), best);
    const buy = { action: "BUY", outcome: 0, amount: usdc(1_000_000n) } as const;
    const taken = await Promise.all(seats.map((seat) => place(seat.user, { ...buy, ...seat })));
    expect(await countTransactions(taken)).toBe(1);
    const [trade] = await readFills(maker.orderId);
    const fills = await Promise.all(taken.map(({ orderId }) => readFills(orderId)));
    const haveTrade = fills.map((list) => list.some(({ tradeId }) => tradeId === trade?.tradeId));
    expect(haveTrade).toEqual([true, ...others.map(() => false)]);
  });

  it("are all placed if they have one user or one market", async () => {
    const [one, other] = await makeSeats(2);
    if (!one || !other) throw new Error("two seats were made");
    const mixed = [one, one, other, { user: one.user, market: other.market }, one, other];
    const placed = await Promise.all(mixed.map((seat) => bid(seat)));
    expect(placed.map(({ status }) => status)).toEqual(mixed.map(() => "open"));
    expect(await countOpen(one)).toBe(5);
    expect(await countOpen(other)).toBe(3);
  });

  it("place one order if they have one key", async () => {
    const seats = await makeSeats();
    const sent = [...seats, first(seats), first(seats)];
    const placed = await Promise.all(sent.map((seat) => bid(seat, "repeated")));
    expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(MANY);
    for (const seat of seats) expect(await countOpen(seat)).toBe(2);
  });

  it("don't overtake an earlier one of their user and market", async () => {
    const seats = await makeSeats();
    const sent = seats.flatMap(({ user, market }) => {
      const body = createBody({ ...toBid(market), key: "sent twice" });
      return [placeOrder(user.principal, body), placeOrder(user.principal, body)];
    });
    const replays = (await Promise.all(sent)).map(({ isReplay }) => isReplay);
    expect(replays).toEqual(seats.flatMap(() => [false, true]));
  });

  it("are placed in markets that never traded", async () => {
    const seats = await makeSeats();
    const unknown = seats.map(({ user }) => ({ user, market: freshMarket() }));
    const placed = await Promise.all(unknown.map((seat) => bid(seat)));
    expect(placed.map(({ status }) => status)).toEqual(seats.map(() => "open"));
  });

  it("are each refused for reasons of their own, which are stored", async () => {
    const seats = await makeSeats();
    const poor = { user: await makeUser(POOR), market: first(seats).market };
    const broke = { ...toBid(poor.market), size: shares(500_000_000n), key: "too large" };
    const others = seats.slice(1);
    const [refused, ...placed] = await Promise.all([
      place(poor.user, broke),
      ...others.map((seat) => bid(seat)),
    ]);
    expect(refused).toMatchObject({ status: null, code: "INSUFFICIENT_BALANCE" });
    expect(placed.map(({ status }) => status)).toEqual(others.map(() => "open"));
    expect(await countTransactions([refused, ...placed])).toBe(1);
    expect(await place(poor.user, broke)).toEqual(refused);
  });

  it("obey the limits of their users", async () => {
    const seats = await makeSeats();
    const { userId } = first(seats).user.principal;
    await setLimits({ userId, subject: { scope: "user" }, limits: { maxOpenOrders: 1 } });
    const [limited, ...others] = await Promise.all(seats.map((seat) => bid(seat)));
    expect(limited).toMatchObject({ status: null, code: "RISK_LIMIT_EXCEEDED" });
    expect(others.map(({ status }) => status)).toEqual(seats.slice(1).map(() => "open"));
    expect(await countOpen(first(seats))).toBe(1);
  });

  it("are placed without the one that fails, whose key stays free", async () => {
    const seats = await makeSeats();
    const failing = first(seats);
    await refuseInserts(failing.user.userId);
    const [failed, ...placed] = await Promise.allSettled(seats.map((seat) => bid(seat, "key")));
    expect(failed).toMatchObject({ status: "rejected" });
    expect(placed.map((end) => end.status === "fulfilled" && end.value.status)).toEqual(
      seats.slice(1).map(() => "open"),
    );
    expect(await countOpen(failing)).toBe(1);
    await allowInserts();
    expect(await bid(failing, "key")).toMatchObject({ status: "open" });
  });

  it("are found again after the connection was lost at their commit", async () => {
    const seats = await makeSeats();
    const original = await getDatabase();
    const losing: Database = {
      ...original,
      transaction: async (work) => {
        await original.transaction(work);
        throw new Error("Connection terminated unexpectedly");
      },
    };
    useDatabase(losing);
    const lost = await Promise.allSettled(seats.map((seat) => bid(seat, "lost")));
    useDatabase(original);
    expect(new Set(lost.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    for (const seat of seats) {
      expect(await countOpen(seat)).toBe(2);
      expect(await bid(seat, "lost")).toMatchObject({ status: "open" });
      expect(await countOpen(seat)).toBe(2);
    }
  });

  it("have their place in the queue for as long as a request may wait, and are then not placed", async () => {
    const seats = await makeSeats();
    const original = await getDatabase();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const standing: Database = {
      ...original,
      transaction: async (work) => {
        await released;
        return original.transaction(work);
      },
    };
    useDatabase(standing);
    const [started, waiting] = [seats.slice(0, 2), seats.slice(2)];
    const running: Promise<Placed>[] = [];
    for (const seat of started) {
      running.push(bid(seat));
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
    // An order behind a running one of its user waits no longer either.
    const behind = bid(first(started), "behind");
    const ended = await Promise.allSettled([...waiting.map((seat) => bid(seat, "waited")), behind]);
    release();
    const placed = await Promise.all(running);
    useDatabase(original);
    const codes = ended.map((end) => end.status === "rejected" && String(end.reason.code));
    expect(new Set(codes)).toEqual(new Set(["UPSTREAM_TIMEOUT"]));
    for (const { status } of placed) expect(status).toBe("open");
    for (const seat of waiting) {
      expect(await countOpen(seat)).toBe(1);
      expect(await bid(seat, "waited")).toMatchObject({ status: "open" });
    }
  });
});

/** Makes the database refuse a user's orders. */
async function refuseInserts(userId: string): Promise<void> {
  const { db } = await getDatabase();
  await db.execute(
    sql.raw(`create or replace function refuse_order() returns trigger language plpgsql as $$
      begin
        if new.user_id = '${userId}' then raise exception 'refused by the test'; end if;
        return new;
      end $$`),
  );
  await db.execute(sql`create trigger refuse_order before insert on orders
    for each row execute function refuse_order()`);
  onTestFinished(allowInserts);
}

async function allowInserts(): Promise<void> {
  const { db } = await getDatabase();
  await db.execute(sql`drop trigger if exists refuse_order on orders`);
}

describe.runIf(process.env["TEST_DATABASE"] === "postgres")(
  "orders that arrive together while another connection holds what one of them needs (server only)",
  () => {
    it.each(["market", "user", "key"] as const)(
      "don't wait for its %s, and it is placed later",
      async (what) => {
        const seats = await makeSeats();
        const [held, ...others] = seats;
        if (!held) throw new Error("seats were made");
        const release = await hold(what, held);
        const waiting = bid(held, "held");
        const placed = await Promise.all(others.map((seat) => bid(seat)));
        expect(placed.map(({ status }) => status)).toEqual(others.map(() => "open"));
        expect(await Promise.race([waiting, "still waiting"])).toBe("still waiting");
        await release();
        expect(await waiting).toMatchObject({ status: "open" });
        expect(await countOpen(held)).toBe(2);
      },
    );
  },
);

/** Holds the row of the seat's market or user, or its key "held", with a separate connection. */
async function hold(what: "market" | "user" | "key", { user, market }: Seat) {
  const outside = await openAgain({});
  const { userId } = user.principal;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  const holding = outside
    .transaction(async (tx) => {
      if (what === "market") {
        await selectRows(tx, sql`select from markets where id = ${market.id} for update`);
      } else if (what === "user") {
        await selectRows(tx, sql`select from users where id = ${userId} for update`);
      } else {
        const createdAt = new Date(clock.now);
        const other = { fingerprint: "other", fields: {}, orderId: "ord_other", createdAt };
        await insertClaim(tx, { userId, keyHash: hashIdempotencyKey("held"), ...other });
      }
      isHeld();
      await released;
      throw new Error("rolled back");
    })
    .catch(() => undefined);
  await held;
  const end = async () => {
    release();
    await holding;
  };
  onTestFinished(async () => {
    await end();
    await outside.close();
  });
  return end;
}
