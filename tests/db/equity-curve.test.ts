import { afterEach, describe, expect, it } from "vitest";
import type { Principal } from "@/lib/auth/principal";
import { assert } from "@/lib/errors";
import { verifyBooks } from "@/lib/ledger/verify-books";
import type { EquityRange } from "@/lib/schemas/portfolio";
import { deposit } from "@/lib/accounts/deposit";
import { resetAccount } from "@/lib/accounts/reset-account";
import { listFills } from "@/lib/activity/list-fills";
import { getEquityCurve } from "@/lib/portfolio/get-equity-curve";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  MINUTE,
  place,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const START_MONEY = usdc(1_000_000_000n);
const SIZE = shares(20_000_000n);
const RANGES = ["1d", "1w", "1m", "all"] as const;

async function readCurve(principal: Principal, range: EquityRange) {
  const curve = await getEquityCurve(principal, range);
  assert(curve, "a paper account has a curve");
  return curve;
}

describe("the curve of an account's value", () => {
  it("ends at the portfolio's current value in every range", async () => {
    const user = await makeUser(START_MONEY);
    clock.advance(3 * MINUTE);
    await place(user, { market: freshMarket(), action: "BUY", outcome: 1, size: SIZE });
    clock.advance(7 * MINUTE);
    await place(user, { market: freshMarket(), action: "BUY", outcome: 0, size: SIZE });
    clock.advance(50 * MINUTE);
    const { portfolioValue } = await getPortfolio(user.principal);
    for (const range of RANGES) {
      const { points } = await readCurve(user.principal, range);
      expect(points.at(-1)?.value).toBe(portfolioValue);
      expect(points.at(-1)?.at.getTime()).toBe(clock.now);
    }
  });

  it("rises with a deposit without counting it as profit, and is the cash before any trade", async () => {
    const user = await makeUser(START_MONEY);
    clock.advance(30 * MINUTE);
    await deposit(user.userId, usdc(5_000_000n));
    clock.advance(30 * MINUTE);
    const curve = await readCurve(user.principal, "all");
    expect(curve.points[0]?.value).toBe(START_MONEY);
    expect(curve.points.at(-1)?.value).toBe(START_MONEY + 5_000_000n);
    expect(new Set(curve.points.map(({ value }) => value)).size).toBe(2);
    for (const { value, paidIn } of curve.points) expect(paidIn).toBe(value);
    expect(curve).toMatchObject({ deposited: START_MONEY + 5_000_000n, change: 0n });
  });

  it("changes from first to last value by profit plus deposits", async () => {
    const user = await makeUser(START_MONEY);
    clock.advance(MINUTE);
    await place(user, { market: freshMarket(), action: "BUY", outcome: 0, size: SIZE });
    clock.advance(MINUTE);
    await deposit(user.userId, usdc(123_456n));
    clock.advance(40 * MINUTE);
    const { points, deposited, change } = await readCurve(user.principal, "all");
    const { totalPnl } = await getPortfolio(user.principal);
    expect(change).toBe(totalPnl);
    expect(deposited).toBe(START_MONEY + 123_456n);
    expect(points.at(-1)?.value).toBe(deposited + change);
  });

  it("counts only deposits of its range if the account is older", async () => {
    const user = await makeUser(START_MONEY);
    clock.advance(25 * 60 * MINUTE);
    await deposit(user.userId, usdc(7_000_000n));
    clock.advance(MINUTE);
    const { isWhole, points, deposited, change } = await readCurve(user.principal, "1d");
    expect({ isWhole, deposited, change }).toEqual({
      isWhole: false,
      deposited: 7_000_000n,
      change: 0n,
    });
    expect(points.at(-1)?.value).toBe((points[0]?.value ?? 0n) + deposited);
  });

  it("doesn't change with a claim, which moves value to cash", async () => {
    const user = await makeUser(START_MONEY);
    const market = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
    await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    await place(user, { market, action: "BUY", outcome: 1, size: SIZE });
    clock.set(market.resolvesAt + MINUTE);
    const before = await readCurve(user.principal, "all");
    for (const outcome of [0, 1] as const)
      await redeemPosition(user.principal, getToken(market, outcome));
    const after = await readCurve(user.principal, "all");
    expect(after.points).toEqual(before.points);
  });

  it("of a new account has two points, and none from before a reset", async () => {
    const user = await makeUser(START_MONEY);
    clock.advance(60 * MINUTE);
    await resetAccount(user.principal, usdc(250_000_000n));
    const { points } = await readCurve(user.principal, "1w");
    expect(points).toHaveLength(2);
    expect(points.at(-1)?.value).toBe(250_000_000n);
    clock.advance(60 * MINUTE);
    const later = await readCurve(user.principal, "1w");
    expect(new Set(later.points.map(({ value }) => value))).toEqual(new Set([250_000_000n]));
  });
});

describe("the trades of a curve", () => {
  it("are the fills since the point before, summed per outcome and action, largest first", async () => {
    const user = await makeUser(START_MONEY);
    const [market, other] = [freshMarket(), freshMarket()];
    clock.advance(30 * MINUTE);
    await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    await place(user, { market: other, action: "BUY", outcome: 1, size: shares(5_000_000n) });
    const boughtAt = clock.now;
    clock.advance(30 * MINUTE);
    await place(user, { market, action: "SELL", outcome: 0, size: SIZE });
    clock.advance(30 * MINUTE);

    const { points, outcomes, trades } = await readCurve(user.principal, "all");
    expect(outcomes.map(({ marketTitle }) => marketTitle)).toEqual([market.title, other.title]);
    expect(trades).toHaveLength(2);
    const [bought, sold] = trades;
    expect(bought?.largest.map(({ outcome, action }) => ({ outcome, action }))).toEqual([
      { outcome: 0, action: "BUY" },
      { outcome: 1, action: "BUY" },
    ]);
    expect(bought?.largest.map((trade) => trade.shares)).toEqual([40_000_000n, 5_000_000n]);
    expect(sold?.largest).toMatchObject([{ outcome: 0, action: "SELL", shares: SIZE }]);
    const at = points[bought?.point ?? 0]?.at.getTime() ?? 0;
    const before = points[(bought?.point ?? 0) - 1]?.at.getTime() ?? 0;
    expect(at).toBeGreaterThanOrEqual(boughtAt);
    expect(before).toBeLessThan(boughtAt);
    const { fills } = await listFills(user.principal, {});
    const counted = trades.reduce((sum, trade) => sum + trade.fills, 0);
    expect(counted).toBe(fills.length);
  });

  it("are the three largest of a point with the number of all, and none of before a reset", async () => {
    const user = await makeUser(START_MONEY);
    clock.advance(30 * MINUTE);
    for (const outcome of [0, 1] as const) {
      for (const market of [freshMarket(), freshMarket()])
        await place(user, { market, action: "BUY", outcome, size: SIZE });
    }
    clock.advance(30 * MINUTE);
    const { outcomes, trades } = await readCurve(user.principal, "all");
    expect(outcomes).toHaveLength(3);
    expect(trades).toHaveLength(1);
    expect(trades[0]?.largest).toHaveLength(3);
    const { fills } = await listFills(user.principal, {});
    expect(trades[0]?.fills).toBe(fills.length);
    const shown = trades[0]?.largest.reduce((sum, trade) => sum + trade.fills, 0) ?? NaN;
    expect(shown).toBeLessThan(fills.length);

    await resetAccount(user.principal, START_MONEY);
    clock.advance(30 * MINUTE);
    expect(await readCurve(user.principal, "all")).toMatchObject({ outcomes: [], trades: [] });
  });

  it("of the first point are those up to one step before the range", async () => {
    const user = await makeUser(START_MONEY);
    await place(user, { market: freshMarket(), action: "BUY", outcome: 0, size: SIZE });
    const tradedAt = clock.now;
    clock.advance(24 * 60 * MINUTE + MINUTE);
    const { points, trades } = await readCurve(user.principal, "1d");
    expect(points[0]?.at.getTime()).toBeGreaterThan(tradedAt);
    expect(trades.map(({ point }) => point)).toEqual([0]);
    clock.advance(60 * MINUTE);
    expect((await readCurve(user.principal, "1d")).trades).toEqual([]);
  });
});
