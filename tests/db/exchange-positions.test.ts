import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { selectClosedPositions } from "@/lib/db/queries/closed-positions";
import { paperVenue } from "@/lib/exchange";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { collateral } from "@/lib/ledger/accounts";
import { readStatement } from "@/lib/ledger/statement";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { shares, usdc } from "@/lib/units";
import type { PositionChange, PositionRefusal } from "@/lib/venue/port";
import { expectUnchanged } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { changePositions } from "@/tests/support/exchange/change-positions";
import {
  readCashBalance,
  readHeldShares,
  readLedger,
  readOwner,
  readPosition,
} from "@/tests/support/exchange/ledger";
import {
  findPriceInside,
  freshMarket,
  getToken,
  MINUTE,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooksAndLogs()).problems).toEqual([]));

const DAY = 24 * 60 * MINUTE;
const DEPOSIT = usdc(100_000_000n);
const SIZE = shares(20_000_001n);

const split = (market: PaperMarket, size = SIZE): PositionChange => ({
  kind: "split",
  market,
  shares: size,
});
const merge = (market: PaperMarket, size = SIZE): PositionChange => ({
  kind: "merge",
  market,
  shares: size,
});
const redeem = (market: PaperMarket, outcome: 0 | 1, size = null as typeof SIZE | null) =>
  ({ kind: "redeem", market, outcome, shares: size }) as const;

const change = (user: TestUser, ...changes: PositionChange[]) =>
  changePositions(user.userId, changes);

async function readHoldings(user: TestUser, market: PaperMarket) {
  const [first, second] = [
    await readPosition(user, getToken(market, 0)),
    await readPosition(user, getToken(market, 1)),
  ];
  return [first?.shares ?? 0n, second?.shares ?? 0n];
}

const readCash = async (user: TestUser) => (await readCashBalance(user)).owned;
const readLocked = async (market: PaperMarket) =>
  (await readLedger()).get(collateral(market.id).id) ?? 0n;

/** Asserts that nothing changes, and why. */
const expectRefused = (
  user: TestUser,
  changes: PositionChange[],
  refusal: { index: number; reason: PositionRefusal },
) =>
  expectUnchanged(async () =>
    expect(await change(user, ...changes)).toEqual({ outcome: "refused", ...refusal }),
  );

describe("a split", () => {
  it("gives as many shares of both outcomes as it takes cash, at half a dollar each", async () => {
    const [user, market] = [await makeUser(DEPOSIT), freshMarket()];
    expect(await change(user, split(market))).toEqual({ outcome: "changed" });
    expect(await readCash(user)).toBe(DEPOSIT - SIZE);
    expect(await readLocked(market)).toBe(SIZE);
    const [first, second] = [0, 1].map((outcome) => getToken(market, outcome === 0 ? 0 : 1));
    expect(await readPosition(user, first ?? "")).toMatchObject({
      shares: SIZE,
      cost: 10_000_000n,
    });
    expect(await readPosition(user, second ?? "")).toMatchObject({
      shares: SIZE,
      cost: 10_000_001n,
    });
  });

  it("beyond the available cash, or in a resolved market, changes nothing", async () => {
    const user = await makeUser(DEPOSIT);
    const market = freshMarket({ inside: 2, closesAfter: MINUTE, closesWithin: 7 * DAY });
    const everything = shares(BigInt(DEPOSIT));
    await expectRefused(user, [split(market, shares(everything + 1n))], {
      index: 0,
      reason: "insufficient_cash",
    });
    const limit = findPriceInside(market)(0);
    await place(user, { market, action: "BUY", outcome: 0, limit, size: shares(10_000_000n) });
    await expectRefused(user, [split(market, everything)], {
      index: 0,
      reason: "insufficient_cash",
    });
    clock.set(market.resolvesAt);
    await expectRefused(user, [split(market)], { index: 0, reason: "resolved" });
  });
});

describe("a merge", () => {
  it("gives back the dollar of each pair, and the books replay it between trades", async () => {
    const [user, market] = [await makeUser(DEPOSIT), freshMarket()];
    await change(user, split(market));
    await place(user, { market, action: "SELL", outcome: 0, size: shares(6_000_000n) });
    await place(user, { market, action: "BUY", outcome: 1, size: shares(6_000_000n) });
    const before = await readCash(user);
    const size = shares(9_000_001n);
    expect(await change(user, merge(market, size))).toEqual({ outcome: "changed" });
    expect(await readCash(user)).toBe(before + size);
    expect(await readHoldings(user, market)).toEqual([5_000_000n, 17_000_000n]);
  });

  it("of more than the smaller holding, or of reserved shares, changes nothing", async () => {
    const [user, market] = [await makeUser(DEPOSIT), freshMarket()];
    await change(user, split(market));
    const refusal = { index: 0, reason: "insufficient_shares" } as const;
    await expectRefused(user, [merge(market, shares(SIZE + 1n))], refusal);
    const limit = findPriceInside(market)(3);
    const order = { market, action: "SELL", outcome: 0, limit, size: shares(20_000_000n) } as const;
    await place(user, order);
    expect((await readHeldShares(user, getToken(market, 0))).held).toBe(20_000_000n);
    await expectRefused(user, [merge(market)], refusal);
  });

  it("of everything closes both positions without a profit", async () => {
    const [user, market] = [await makeUser(DEPOSIT), freshMarket()];
    await change(user, split(market), merge(market));
    expect(await readCash(user)).toBe(DEPOSIT);
    expect(await readHoldings(user, market)).toEqual([0n, 0n]);
    const closed = await selectClosedPositions(await getDb(), await readOwner(user), null, 10);
    expect(closed.map(({ bought, received }) => received - bought)).toEqual([0n, 0n]);
  });
});

describe("several changes", () => {
  it("are all undone when one of them is refused", async () => {
    const [user, market, other] = [await makeUser(DEPOSIT), freshMarket(), freshMarket()];
    await expectRefused(user, [split(market), split(other), merge(other, shares(SIZE + 1n))], {
      index: 2,
      reason: "insufficient_shares",
    });
  });

  it("happen once when their transaction is repeated and its record says so", async () => {
    const [user, market] = [await makeUser(DEPOSIT), freshMarket()];
    let isDone = false;
    const request = {
      id: randomUUID(),
      userId: user.userId,
      changes: [split(market)],
      admit: async () => !isDone,
      record: async () => {
        isDone = true;
      },
    };
    const results = [];
    for (let times = 0; times < 3; times += 1) {
      results.push((await paperVenue.changePositions(request)).outcome);
    }
    expect(results).toEqual(["changed", "not_admitted", "not_admitted"]);
    expect(await readCash(user)).toBe(DEPOSIT - SIZE);
  });

  it("of one name fail the second time", async () => {
    const [user, market] = [await makeUser(DEPOSIT), freshMarket()];
    const request = {
      id: randomUUID(),
      userId: user.userId,
      changes: [split(market)],
      admit: async () => true,
      record: async () => {},
    };
    await paperVenue.changePositions(request);
    await expectUnchanged(async () => {
      await expect(paperVenue.changePositions(request)).rejects.toThrow();
    });
  });

  it("redeem both outcomes of a resolved market, and cancel its orders", async () => {
    const user = await makeUser(DEPOSIT);
    const market = freshMarket({ inside: 2, closesAfter: MINUTE, closesWithin: 7 * DAY });
    await change(user, split(market));
    await expectRefused(user, [redeem(market, 0)], { index: 0, reason: "not_resolved" });
    clock.set(market.resolvesAt);
    const wrong = shares(SIZE - 1n);
    await expectRefused(user, [redeem(market, 0), redeem(market, 1, wrong)], {
      index: 1,
      reason: "insufficient_shares",
    });
    expect(await change(user, redeem(market, 0, SIZE), redeem(market, 1))).toEqual({
      outcome: "changed",
    });
    expect(await readCash(user)).toBe(DEPOSIT);
    // Without shares, there is nothing to pay.
    await expectUnchanged(async () => {
      expect(await change(user, redeem(market, 0))).toEqual({ outcome: "changed" });
    });
  });
});

it("the statement shows a split and a merge with their shares", async () => {
  const [user, market] = [await makeUser(DEPOSIT), freshMarket()];
  await change(user, split(market));
  await change(user, merge(market, shares(5_000_000n)));
  const page = { before: null, limit: 10 };
  const entries = await readStatement(await getDb(), await readOwner(user), {}, page);
  expect(entries.map(({ kind, amount, shares: size }) => [kind, amount, size])).toEqual([
    ["merge", 5_000_000n, 5_000_000n],
    ["split", -SIZE, SIZE],
    ["deposit", DEPOSIT, null],
  ]);
});
