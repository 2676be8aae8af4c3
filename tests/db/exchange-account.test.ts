import { readBearer } from "@/lib/auth/bearer";
import { afterEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { authenticate } from "@/lib/auth/authenticate";
import { getDb } from "@/lib/db/client";
import { selectAccount } from "@/lib/db/queries/users";
import { UNLIMITED_ALLOWANCE } from "@/lib/db/queries/wallets";
import { wallets } from "@/lib/db/schema/accounts";
import { available, external, USDC } from "@/lib/ledger/accounts";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { listActivity } from "@/lib/activity/list-activity";
import { getOrder } from "@/lib/orders/get-order";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { listOrders } from "@/lib/orders/list-orders";
import { deposit } from "@/lib/accounts/deposit";
import { resetAccount } from "@/lib/accounts/reset-account";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { notional, ONE, price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  findPriceInside,
  place,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import {
  readOrderEvents,
  readCashBalance,
  ledgerChanges,
  readOrderMoney,
  orderRow,
  readOwner,
  readLedger,
  readTotals,
} from "@/tests/support/exchange/ledger";
import { makeUser, type TestUser } from "@/tests/support/users";

const LOCAL = { address: "127.0.0.1" };

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SIZE = shares(20_000_000n);
const START_MONEY = usdc(1_000_000_000n);
const FRESH_MONEY = usdc(250_000_000n);

function bearer(user: TestUser): Request {
  return new Request("http://127.0.0.1/v1/key", {
    headers: { authorization: `Bearer ${user.apiKey}` },
  });
}

/** A user with a position, a filled order, an open order and a delayed one. */
async function liveAccount() {
  const user = await makeUser(START_MONEY);
  const market = freshMarket();
  const buy = { market, action: "BUY", outcome: 0, size: SIZE } as const;
  const filled = await place(user, buy);
  const limit = findPriceInside(market)(0);
  const open = await place(user, { ...buy, limit });
  const delayed = await place(user, { ...buy, limit }, "delayed");
  return { user, market, filled, open, delayed };
}

async function setAllowance(user: TestUser, allowance: bigint | null): Promise<void> {
  const db = await getDb();
  await db.update(wallets).set({ allowance }).where(eq(wallets.userId, user.userId));
}

async function readAllowance(user: TestUser): Promise<bigint | null | undefined> {
  return (await selectAccount(await getDb(), user.userId))?.allowance;
}

/** A user with a limited allowance, and a market to trade. */
async function allowed(allowance: bigint) {
  const [user, market] = [await makeUser(START_MONEY), freshMarket()];
  await setAllowance(user, allowance);
  const limit = findPriceInside(market)(0);
  const cost = notional(SIZE, limit, "up");
  const buy = { market, action: "BUY", outcome: 0, limit, size: SIZE } as const;
  return { user, market, cost, buy };
}

describe("a deposit", () => {
  it("moves its amount from external to available as one ledger line", async () => {
    const user = await makeUser(START_MONEY);
    const owner = await readOwner(user);
    const before = await readLedger();
    await deposit(user.userId, usdc(12_345_678n));
    expect(await ledgerChanges(before)).toEqual({
      [available(owner, USDC).id]: 12_345_678n,
      [external(owner).id]: -12_345_678n,
    });
    const { lines } = await listActivity(user.principal, {});
    expect(
      lines.map(({ kind, amountUsdc, balanceUsdc }) => [kind, amountUsdc, balanceUsdc]),
    ).toEqual([
      ["deposit", 12_345_678n, START_MONEY + 12_345_678n],
      ["deposit", START_MONEY, START_MONEY],
    ]);
  });

  it("does not count as profit", async () => {
    const user = await makeUser(START_MONEY);
    await deposit(user.userId, usdc(5_000_000n));
    const { portfolioValue, totalPnl } = await getPortfolio(user.principal);
    expect([portfolioValue, totalPnl]).toEqual([START_MONEY + 5_000_000n, 0n]);
  });

  it("concurrent deposits are all posted", async () => {
    const user = await makeUser(START_MONEY);
    await Promise.all(Array.from({ length: 20 }, () => deposit(user.userId, usdc(1_000_001n))));
    expect((await readCashBalance(user)).available).toBe(START_MONEY + 20n * 1_000_001n);
  });

  it("of 0 posts no line, and a negative one is refused", async () => {
    const user = await makeUser(START_MONEY);
    const before = await readTotals();
    await deposit(user.userId, usdc(0n));
    await expect(deposit(user.userId, usdc(-1n))).rejects.toThrow();
    expect(await readTotals()).toEqual(before);
  });

  it("to an unknown user is refused", async () => {
    const before = await readTotals();
    await expect(deposit("usr_nobody", usdc(1n))).rejects.toMatchObject({
      code: "WALLET_NOT_FOUND",
    });
    expect(await readTotals()).toEqual(before);
  });
});

describe("an allowance", () => {
  it("that open orders have used up refuses the next order and changes nothing", async () => {
    const { user, cost, buy } = await allowed(30_000_000n);
    const fits = 30_000_000n / (cost + cost / 10n);
    for (let index = 0n; index < fits; index += 1n) {
      expect((await place(user, buy)).status).toBe("open");
    }
    const size = shares(1_000_000_000n);
    const before = await readTotals();
    const refused = await place(user, { ...buy, size });
    expect(refused.code).toBe("INSUFFICIENT_ALLOWANCE");
    expect(refused.message).toContain("$30.00 is approved.");
    expect(await readTotals()).toEqual(before);
    expect(await readAllowance(user)).toBe(30_000_000n);
  });

  it("is lowered by what fills cost with their fees, for takers and makers", async () => {
    const { user, market, cost, buy } = await allowed(100_000_000n);
    const amount = usdc(10_000_000n);
    const taken = await place(user, { market, action: "BUY", outcome: 0, amount });
    const { filledNotional, fee } = await orderRow(taken.orderId);
    const left = 100_000_000n - filledNotional - fee;
    expect(await readAllowance(user)).toBe(left);
    await place(user, buy);
    expect(await readAllowance(user)).toBe(left);
    const limit = price(ONE - buy.limit);
    await place(await makeUser(), { market, action: "BUY", outcome: 1, limit, size: SIZE });
    expect(await readAllowance(user)).toBe(left - cost);
  });

  it("that is unlimited is never lowered, and an unknown one refuses no order", async () => {
    const unlimited = await allowed(UNLIMITED_ALLOWANCE);
    const { market } = unlimited;
    await place(unlimited.user, { market, action: "BUY", outcome: 0, size: SIZE });
    expect(await readAllowance(unlimited.user)).toBe(UNLIMITED_ALLOWANCE);
    const unknown = await allowed(0n);
    await setAllowance(unknown.user, null);
    expect((await place(unknown.user, unknown.buy)).status).toBe("open");
  });

  it("is not exceeded by concurrent orders", async () => {
    const { user, cost, buy } = await allowed(50_000_000n);
    const placed = await Promise.all(Array.from({ length: 20 }, () => place(user, buy)));
    const codes = new Set(placed.map(({ code }) => code));
    expect(codes).toEqual(new Set([null, "INSUFFICIENT_ALLOWANCE"]));
    const { held: reserved } = await readCashBalance(user);
    expect(reserved).toBeLessThanOrEqual(50_000_000n);
    expect(reserved).toBe(cost * BigInt(placed.filter(({ code }) => code === null).length));
  });
});

describe("a reset", () => {
  it("starts with the requested balance, without positions, profit or cash history", async () => {
    const { user } = await liveAccount();
    const before = await readOwner(user);
    clock.advance(1_000);
    await resetAccount(user.principal, FRESH_MONEY);
    expect(await readOwner(user)).toEqual({ userId: user.userId, epoch: before.epoch + 1 });
    expect(await getPortfolio(user.principal)).toEqual({
      balanceUsdc: FRESH_MONEY,
      portfolioValue: FRESH_MONEY,
      totalPnl: 0n,
      realizedPnl: 0n,
      unrealizedPnl: 0n,
      fees: 0n,
      positions: [],
    });
    const { lines } = await listActivity(user.principal, {});
    expect(lines).toMatchObject([
      { kind: "deposit", amountUsdc: FRESH_MONEY, balanceUsdc: FRESH_MONEY },
    ]);
  });

  it("cancels open orders and releases their holds in the old epoch", async () => {
    const { user, open, delayed } = await liveAccount();
    const owner = await readOwner(user);
    await resetAccount(user.principal, FRESH_MONEY);
    expect((await listOpenOrders(user.principal, {})).orders).toEqual([]);
    for (const { orderId } of [open, delayed]) {
      expect((await readOrderEvents(orderId)).at(-1)).toBe("canceled:requested");
      const money = await readOrderMoney(orderId);
      expect(money).toMatchObject({ spent: 0n, held: 0n, released: money.original });
    }
    const ledger = await readLedger();
    expect(ledger.get(`${owner.userId}/${owner.epoch}/usdc/held`)).toBe(0n);
  });

  it("keeps the API keys", async () => {
    const { user } = await liveAccount();
    await resetAccount(user.principal, FRESH_MONEY);
    expect(await authenticate(readBearer(bearer(user).headers), "trade", LOCAL)).toMatchObject({
      userId: user.userId,
    });
  });

  it("keeps every order readable, with its fills", async () => {
    const { user, filled, open } = await liveAccount();
    const before = await getOrder(user.principal, filled.orderId);
    await resetAccount(user.principal, FRESH_MONEY);
    expect(await getOrder(user.principal, filled.orderId)).toEqual(before);
    expect(await getOrder(user.principal, open.orderId)).toMatchObject({ status: "canceled" });
    expect((await listOrders(user.principal, {})).orders).toHaveLength(3);
  });

  it("shares of the old epoch can be neither sold nor claimed", async () => {
    const { user, market } = await liveAccount();
    await resetAccount(user.principal, FRESH_MONEY);
    const sold = await place(user, { market, action: "SELL", outcome: 0, size: SIZE });
    expect(sold.code).toBe("INSUFFICIENT_SHARES");
    clock.set(market.resolvesAt);
    await expect(redeemPosition(user.principal, getToken(market, 0))).rejects.toMatchObject({
      code: "INSUFFICIENT_SHARES",
    });
    expect((await readCashBalance(user)).available).toBe(FRESH_MONEY);
  });

  it("leaves only the new balance to spend", async () => {
    const { user, market } = await liveAccount();
    await resetAccount(user.principal, usdc(10_000_000n));
    const limit = findPriceInside(market)(0);
    const size = shares(1_000_000_000n);
    const before = await readTotals();
    const tooMuch = await place(user, { market, action: "BUY", outcome: 0, limit, size });
    expect(tooMuch.code).toBe("INSUFFICIENT_BALANCE");
    expect(tooMuch.message).toContain("$10.00 is available.");
    expect(await readTotals()).toEqual(before);
  });

  it("concurrent with orders leaves no live order that holds money of an old epoch", async () => {
    const user = await makeUser(START_MONEY);
    const market = freshMarket();
    const limit = findPriceInside(market)(0);
    const buy = { market, action: "BUY", outcome: 0, limit, size: SIZE } as const;
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        place(user, buy),
        place(user, buy),
        resetAccount(user.principal, FRESH_MONEY),
        place(user, buy),
        place(user, buy),
      ]);
      const { epoch } = await readOwner(user);
      const ledger = [...(await readLedger())];
      const stranded = ledger.filter(
        ([id, balance]) =>
          id.startsWith(`${user.userId}/`) &&
          id.endsWith("/held") &&
          !id.startsWith(`${user.userId}/${epoch}/`) &&
          balance !== 0n,
      );
      expect(stranded).toEqual([]);
      expect((await readCashBalance(user)).owned).toBe(FRESH_MONEY);
    }
  });

  it("run twice concurrently ends in a later epoch with the balance of one of them", async () => {
    const { user } = await liveAccount();
    const { epoch } = await readOwner(user);
    await Promise.all([
      resetAccount(user.principal, FRESH_MONEY),
      resetAccount(user.principal, FRESH_MONEY),
    ]);
    expect((await readOwner(user)).epoch).toBe(epoch + 2);
    expect((await readCashBalance(user)).owned).toBe(FRESH_MONEY);
  });
});
