import { afterEach, describe, expect, it } from "vitest";
import { resetAccount } from "@/lib/accounts/reset-account";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { listMarketRedemptions } from "@/lib/portfolio/find-redemption";
import { readHeldTrades } from "@/lib/portfolio/read-held-trades";
import type { Principal } from "@/lib/auth/principal";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { listClosedPositions, readClosedTotals } from "@/lib/portfolio/list-closed-positions";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import type { Action } from "@/lib/domain/settlement";
import { NO_USDC, shares, sum, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  getToken,
  MINUTE,
  place,
  REPRICE,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SIZE = shares(20_000_000n);

async function readClosed({ principal }: TestUser, cursor?: string, limit = 50) {
  const page = await listClosedPositions(principal, { cursor, limit });
  if (!page) throw new Error("a paper account has closed positions");
  return page;
}

async function countClosed(principal: Principal): Promise<number | null> {
  return (await readClosedTotals(principal))?.count ?? null;
}

/** Buys and sells all shares of a market. Returns the id of its outcome's first closed position. */
async function buyAndSell(user: TestUser, market = freshMarket()): Promise<string> {
  await place(user, { market, action: "BUY", outcome: 1, size: SIZE });
  clock.advance(MINUTE);
  await place(user, { market, action: "SELL", outcome: 1, size: SIZE });
  return `${getToken(market, 1)}/1`;
}

describe("the redemptions of a market", () => {
  it("have the shares, payout and cost of both outcomes, for their owner and since the reset only", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const market = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
    for (const outcome of [0, 1] as const)
      await place(user, { market, action: "BUY", outcome, size: SIZE });
    clock.set(market.resolvesAt + MINUTE);
    expect(await listMarketRedemptions(user.principal, market)).toEqual([]);
    for (const outcome of [0, 1] as const)
      await redeemPosition(user.principal, getToken(market, outcome));
    const found = await listMarketRedemptions(user.principal, market);
    expect(found.map(({ outcome }) => outcome)).toEqual(market.outcomes.map(({ name }) => name));
    expect(found.map((each) => each.shares)).toEqual([SIZE, SIZE]);
    expect(found.map(({ payoutUsdc }) => payoutUsdc).toSorted()).toEqual([0n, SIZE]);
    const { positions } = await readClosed(user);
    type Sums = Pick<(typeof positions)[number], "boughtUsdc" | "receivedUsdc" | "fees">;
    const pick = ({ boughtUsdc, receivedUsdc, fees }: Sums) => ({ boughtUsdc, receivedUsdc, fees });
    const expected = positions.map((closed) => ({ outcome: closed.outcome, traded: pick(closed) }));
    expect(new Set(found.map(({ outcome, traded }) => ({ outcome, traded })))).toEqual(
      new Set(expected),
    );
    expect(await listMarketRedemptions(other.principal, market)).toEqual([]);
    await resetAccount(user.principal, usdc(1_000_000n));
    expect(await listMarketRedemptions(user.principal, market)).toEqual([]);
  });
});

describe("the trades of a held position", () => {
  it("are those since it had no shares, and the same with the payout after its redemption", async () => {
    const user = await makeUser();
    const market = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
    const tokenIds = market.outcomes.map(({ tokenId }) => tokenId);
    await buyAndSell(user, market);
    expect(await readHeldTrades(user.principal, tokenIds)).toEqual(new Map());
    await place(user, { market, action: "BUY", outcome: 1, size: SIZE });
    const held = (await readHeldTrades(user.principal, tokenIds)).get(getToken(market, 1));
    clock.set(market.resolvesAt + MINUTE);
    await redeemPosition(user.principal, getToken(market, 1));
    const [redeemed] = await listMarketRedemptions(user.principal, market);
    expect(redeemed?.traded).toEqual({
      ...held,
      receivedUsdc: sum([held?.receivedUsdc ?? NO_USDC, redeemed?.payoutUsdc ?? NO_USDC]),
    });
    expect(held?.receivedUsdc).toBe(NO_USDC);
    expect(held?.boughtUsdc).toBeGreaterThan(NO_USDC);
    expect(await readHeldTrades(user.principal, tokenIds)).toEqual(new Map());
  });
});

describe("closed positions", () => {
  it("have the profit after fees of a sale, a win and a loss, and add up to the account's profit", async () => {
    const user = await makeUser();
    const sold = await buyAndSell(user);
    const soldAt = clock.now;
    const market = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
    for (const outcome of [0, 1] as const)
      await place(user, { market, action: "BUY", outcome, size: SIZE });
    expect(await countClosed(user.principal)).toBe(1);
    clock.set(market.resolvesAt + MINUTE);
    for (const outcome of [0, 1] as const) {
      await redeemPosition(user.principal, getToken(market, outcome));
      clock.advance(MINUTE);
    }

    const { positions, nextCursor } = await readClosed(user);
    expect(nextCursor).toBeNull();
    expect(await countClosed(user.principal)).toBe(3);
    expect(positions.map(({ id }) => id)).toEqual([
      `${getToken(market, 1)}/1`,
      `${getToken(market, 0)}/1`,
      sold,
    ]);
    expect(positions.at(-1)).toMatchObject({
      end: "sold",
      shares: SIZE,
      outcome: expect.any(String),
      closedAt: new Date(soldAt),
    });
    expect(
      positions
        .slice(0, 2)
        .map(({ end }) => end)
        .toSorted(),
    ).toEqual(["lost", "won"]);
    expect(positions.find(({ end }) => end === "won")).toMatchObject({ receivedUsdc: SIZE });
    expect(positions.find(({ end }) => end === "lost")).toMatchObject({ receivedUsdc: 0n });
    for (const { boughtUsdc, receivedUsdc, fees, pnl } of positions) {
      expect(boughtUsdc > 0n && fees > 0n).toBe(true);
      expect(pnl).toBe(receivedUsdc - boughtUsdc - fees);
    }
    const { totalPnl } = await getPortfolio(user.principal);
    expect(sum(positions.map(({ pnl }) => pnl))).toBe(totalPnl);
  });

  it("stay as they were when the same outcome is bought again", async () => {
    const user = await makeUser();
    const market = freshMarket();
    await buyAndSell(user, market);
    const before = await readClosed(user);
    expect(before.positions).toHaveLength(1);
    const { realizedPnl } = await getPortfolio(user.principal);

    clock.advance(MINUTE);
    await place(user, { market, action: "BUY", outcome: 1, size: SIZE });
    expect(await readClosed(user)).toEqual(before);
    expect(await countClosed(user.principal)).toBe(1);
    const after = await getPortfolio(user.principal);
    expect(after.positions).toHaveLength(1);
    expect(after.realizedPnl).toBe(realizedPnl);
  });

  it("are one per round trip, with its own figures, and add up to the realized profit", async () => {
    const user = await makeUser();
    const market = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
    const token = getToken(market, 1);
    const trade = async (action: Action) => {
      clock.advance(REPRICE);
      await place(user, { market, action, outcome: 1, size: SIZE });
    };
    for (const action of ["BUY", "SELL"] as const) await trade(action);
    const first = (await readClosed(user)).positions;
    for (const action of ["BUY", "BUY", "SELL"] as const) await trade(action);
    expect((await readClosed(user)).positions).toEqual(first);
    for (const action of ["SELL", "BUY"] as const) await trade(action);
    clock.set(market.resolvesAt + MINUTE);
    await redeemPosition(user.principal, token);

    const { positions } = await readClosed(user);
    expect(positions.map(({ id, shares: size }) => [id, size])).toEqual([
      [`${token}/3`, SIZE],
      [`${token}/2`, shares(2n * SIZE)],
      [`${token}/1`, SIZE],
    ]);
    expect(positions.at(-1)).toEqual(first[0]);
    expect(positions.map(({ end }) => end)).toEqual([
      expect.stringMatching(/^(won|lost)$/),
      "sold",
      "sold",
    ]);
    expect(await countClosed(user.principal)).toBe(3);
    const { totalPnl, realizedPnl, fees } = await getPortfolio(user.principal);
    const gains = positions.map(({ receivedUsdc, boughtUsdc }) => receivedUsdc - boughtUsdc);
    expect(gains.reduce((total, gain) => total + gain, 0n)).toBe(realizedPnl);
    expect(sum(positions.map((position) => position.fees))).toBe(fees);
    expect(sum(positions.map(({ pnl }) => pnl))).toBe(totalPnl);
  });

  it("are the realized profit, with the shares that were sold of positions that are still held", async () => {
    const user = await makeUser();
    const market = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
    const [lasting, lost] = [freshMarket(), getToken(market, 0)];
    await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    await buyAndSell(user);
    clock.advance(REPRICE);
    await place(user, { market: lasting, action: "BUY", outcome: 0, size: shares(2n * SIZE) });
    clock.advance(MINUTE);
    await place(user, { market: lasting, action: "SELL", outcome: 0, size: SIZE });
    clock.set(market.resolvesAt + MINUTE);
    await redeemPosition(user.principal, lost);

    const { positions } = await readClosed(user);
    const totals = await readClosedTotals(user.principal);
    const { realizedPnl, positions: held } = await getPortfolio(user.principal);
    const sumUp = (read: (position: (typeof positions)[number]) => bigint) =>
      positions.reduce((total, position) => total + read(position), 0n);
    expect(totals).toEqual({
      count: 2,
      profit: sumUp(({ receivedUsdc, boughtUsdc }) => receivedUsdc - boughtUsdc),
      fees: sumUp(({ fees }) => fees),
      realized: realizedPnl,
    });
    const trades = await readHeldTrades(user.principal, [getToken(lasting, 0)]);
    const { boughtUsdc, receivedUsdc } = trades.get(getToken(lasting, 0)) ?? {};
    const [{ value, pnl } = { value: 0n, pnl: 0n }] = held;
    const costOfSold = (boughtUsdc ?? 0n) - (value - pnl);
    expect((realizedPnl ?? 0n) - (totals?.profit ?? 0n)).toBe((receivedUsdc ?? 0n) - costOfSold);
    expect(receivedUsdc).not.toBe(costOfSold);
  });

  it("leave out open positions, other users' and those from before a reset", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    await place(user, { market: freshMarket(), action: "BUY", outcome: 0, size: SIZE });
    await buyAndSell(other);
    expect((await readClosed(user)).positions).toEqual([]);
    await resetAccount(other.principal, usdc(1_000_000_000n));
    expect((await readClosed(other)).positions).toEqual([]);
    expect(await countClosed(other.principal)).toBe(0);
  });

  it("are paged newest first, without gaps or repeats", async () => {
    const user = await makeUser();
    const tokens: string[] = [];
    for (let count = 0; count < 5; count += 1) tokens.unshift(await buyAndSell(user));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readClosed(user, cursor, 2);
      found.push(...page.positions.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(tokens);
  });

  it("are paged without gaps or repeats if round trips of one outcome end in the same instant", async () => {
    const user = await makeUser();
    const market = freshMarket({ depth: "deep" });
    for (let count = 0; count < 5; count += 1)
      for (const action of ["BUY", "SELL"] as const)
        await place(user, { market, action, outcome: 1, size: SIZE });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readClosed(user, cursor, 2);
      found.push(...page.positions.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual([5, 4, 3, 2, 1].map((number) => `${getToken(market, 1)}/${number}`));
  });

  it("of a live account are unknown", async () => {
    const { principal } = await makeUser();
    const live = { ...principal, mode: "live" } as const;
    expect(await listClosedPositions(live, {})).toBeNull();
    expect(await countClosed(live)).toBeNull();
  });
});
