import { afterEach, describe, expect, it } from "vitest";
import { now } from "@/lib/clock";
import { NoTurn } from "@/lib/db/turns";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { findRedemptionsSince } from "@/lib/portfolio/find-redemption";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemAll } from "@/lib/portfolio/redeem-all";
import { paperExchange } from "@/lib/venues";
import { shares, sum } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, MINUTE, place, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SIZE = shares(20_000_000n);

/** Makes a user with both outcomes of two resolved markets, and one open position. */
async function makeWinner(): Promise<TestUser> {
  const user = await makeUser();
  const soon = { closesAfter: MINUTE, closesWithin: 240 * MINUTE, inside: 0 };
  const markets = [freshMarket(soon), freshMarket(soon)];
  for (const market of markets) {
    for (const outcome of [0, 1] as const)
      await place(user, { market, action: "BUY", outcome, size: SIZE });
  }
  await place(user, { market: freshMarket(), action: "BUY", outcome: 0, size: SIZE });
  clock.set(Math.max(...markets.map(({ resolvesAt }) => resolvesAt)) + MINUTE);
  return user;
}

const createLockTimeout = () =>
  Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });

const readCash = async ({ principal }: TestUser) => (await getPortfolio(principal)).balanceUsdc;

describe("claiming everything", () => {
  it("pays the wins, closes the losses, and keeps open positions", async () => {
    const user = await makeWinner();
    const before = await readCash(user);
    const since = new Date(now());
    const { redeemed, failed } = await redeemAll(user.principal);
    expect(failed).toEqual([]);
    expect(redeemed.map(({ payoutUsdc }) => payoutUsdc).toSorted()).toEqual([0n, 0n, SIZE, SIZE]);
    expect((await readCash(user)) - before).toBe(2n * SIZE);
    const { positions } = await getPortfolio(user.principal);
    expect(positions.map(({ redeemable }) => redeemable)).toEqual([false]);
    expect(await findRedemptionsSince(user.principal, since)).toEqual({
      payoutUsdc: 2n * SIZE,
      won: 2,
      lost: 2,
    });
    clock.advance(MINUTE);
    expect(await findRedemptionsSince(user.principal, new Date(now()))).toBeNull();
  });

  it("pays each position once if it is pressed repeatedly and concurrently", async () => {
    const user = await makeWinner();
    const before = await readCash(user);
    const runs = await Promise.all([1, 2, 3].map(() => redeemAll(user.principal)));
    runs.push(await redeemAll(user.principal));
    expect(runs.flatMap(({ failed }) => failed)).toEqual([]);
    const redeemed = runs.flatMap((run) => run.redeemed);
    expect(new Set(redeemed.map(({ positionId }) => positionId)).size).toBe(4);
    expect(redeemed).toHaveLength(4);
    expect(sum(redeemed.map(({ payoutUsdc }) => payoutUsdc))).toBe(2n * SIZE);
    expect((await readCash(user)) - before).toBe(2n * SIZE);
  });

  it("claims the others and reports the position that failed", async () => {
    const user = await makeWinner();
    const before = await readCash(user);
    const { positions } = await getPortfolio(user.principal);
    const stuck = positions.find(({ redeemable, value }) => redeemable && value > 0n);
    const venue = paperExchange();
    const redeem = venue.redeemPosition;
    venue.redeemPosition = async (request) =>
      request.market.outcomes[request.outcome].tokenId === stuck?.id
        ? { outcome: "not_resolved" }
        : redeem(request);
    try {
      const { redeemed, failed } = await redeemAll(user.principal);
      expect(redeemed).toHaveLength(3);
      expect(failed).toEqual([
        {
          positionId: stuck?.id,
          marketTitle: stuck?.marketTitle,
          message: "This market isn't resolved yet.",
        },
      ]);
    } finally {
      venue.redeemPosition = redeem;
    }
    expect((await readCash(user)) - before).toBe(SIZE);
    expect((await redeemAll(user.principal)).redeemed).toHaveLength(1);
  });

  it.each([
    ["a busy market", () => new NoTurn("market", 1_000), /^This market is busy\./],
    ["a lock timeout", createLockTimeout, /^The market is busy\. Try again\.$/],
  ])("claims the others and reports the position that met %s", async (_, create, message) => {
    const user = await makeWinner();
    const { positions } = await getPortfolio(user.principal);
    const stuck = positions.find(({ redeemable }) => redeemable);
    const venue = paperExchange();
    const redeem = venue.redeemPosition;
    venue.redeemPosition = async (request) => {
      if (request.market.outcomes[request.outcome].tokenId === stuck?.id) throw create();
      return redeem(request);
    };
    try {
      const { redeemed, failed } = await redeemAll(user.principal);
      expect(redeemed).toHaveLength(3);
      expect(failed).toMatchObject([{ positionId: stuck?.id }]);
      expect(failed[0]?.message).toMatch(message);
    } finally {
      venue.redeemPosition = redeem;
    }
    expect((await redeemAll(user.principal)).redeemed).toHaveLength(1);
  });
});
