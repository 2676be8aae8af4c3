import { afterEach, describe, expect, it } from "vitest";
import { verifyBooks } from "@/lib/ledger/verify-books";
import {
  depositOnce,
  findDeposit,
  MAX_DEPOSIT,
  parseDepositAmount,
} from "@/lib/accounts/deposit-once";
import { resetAccount, resetOnce } from "@/lib/accounts/reset-account";
import { getWallet } from "@/lib/accounts/get-wallet";
import { price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { readCashBalance, orderRow, readTotals } from "@/tests/support/exchange/ledger";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const START_MONEY = usdc(1_000_000_000n);
const AMOUNT = usdc(25_500_000n);
const KEY = "dep_01M7ZK12G8TFWAS4V63H496EF5";

describe("a deposit by form", () => {
  it("submitted twice, sequentially or concurrently, happens once", async () => {
    const user = await makeUser(START_MONEY);
    await Promise.all(Array.from({ length: 8 }, () => depositOnce(user.userId, KEY, AMOUNT)));
    await depositOnce(user.userId, KEY, AMOUNT);
    expect(await readCashBalance(user)).toMatchObject({ owned: START_MONEY + AMOUNT });
    expect(await findDeposit(user.userId, KEY)).toBe(AMOUNT);
  });

  it("with the same key and another amount is rejected and changes nothing", async () => {
    const user = await makeUser(START_MONEY);
    await depositOnce(user.userId, KEY, AMOUNT);
    const before = await readTotals();
    await expect(depositOnce(user.userId, KEY, usdc(1n))).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect(await readTotals()).toEqual(before);
  });

  it("of one user doesn't affect another user's with the same key", async () => {
    const [first, second] = [await makeUser(START_MONEY), await makeUser(START_MONEY)];
    await depositOnce(first.userId, KEY, AMOUNT);
    expect(await findDeposit(second.userId, KEY)).toBeNull();
    await depositOnce(second.userId, KEY, AMOUNT);
    expect((await readCashBalance(second)).owned).toBe(START_MONEY + AMOUNT);
  });

  it("repeated after a reset, as by a browser's back button, adds nothing to the new account", async () => {
    const user = await makeUser(START_MONEY);
    await depositOnce(user.userId, KEY, AMOUNT);
    await resetAccount(user.principal, usdc(5_000_000n));
    await depositOnce(user.userId, KEY, AMOUNT);
    expect((await readCashBalance(user)).owned).toBe(5_000_000n);
  });

  it("beyond the account's maximum is rejected and changes nothing", async () => {
    const user = await makeUser(usdc(99_999_999_000_000n));
    const before = await readTotals();
    await expect(depositOnce(user.userId, KEY, usdc(1_000_001n))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      field: "amount",
    });
    expect(await readTotals()).toEqual(before);
  });

  it.each(["", "short", "with space in the middle", "x".repeat(65), "a/../../b-long-enough"])(
    "with the key %j is rejected and changes nothing",
    async (key) => {
      const user = await makeUser(START_MONEY);
      const before = await readTotals();
      await expect(depositOnce(user.userId, key, AMOUNT)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
      expect(await readTotals()).toEqual(before);
    },
  );
});

describe("a typed amount", () => {
  it.each([
    ["250", 250_000_000n],
    [" 1,000.50 ", 1_000_500_000n],
    ["$1,000,000", MAX_DEPOSIT],
    ["0.01", 10_000n],
  ])("%j is parsed exactly", (text, micro) => {
    expect(parseDepositAmount(text)).toBe(micro);
  });

  it.each([
    "",
    "abc",
    "1e6",
    "1,00",
    "1.000,50",
    "0",
    "-5",
    "1000000.01",
    "0.001",
    "250.555",
    "0.0000001",
    "NaN",
  ])("%j is rejected for its field", (text) => {
    expect(() => parseDepositAmount(text)).toThrowError(
      expect.objectContaining({ code: "VALIDATION_ERROR", field: "amount" }),
    );
  });
});

describe("a reset by form", () => {
  const RESET_KEY = "dep_01M7ZK12G8TFWAS4V63H496EF6";

  it("submitted twice, sequentially or concurrently, resets once", async () => {
    const user = await makeUser(START_MONEY);
    const reset = () => resetOnce(user.principal, RESET_KEY, AMOUNT);
    await Promise.all(Array.from({ length: 5 }, reset));
    expect((await readCashBalance(user)).owned).toBe(AMOUNT);
    const readEpoch = async () => (await getWallet(user.principal)).epoch;
    const epoch = await readEpoch();
    await depositOnce(user.userId, KEY, AMOUNT);
    await reset();
    expect(await readEpoch()).toBe(epoch);
    expect((await readCashBalance(user)).owned).toBe(AMOUNT + AMOUNT);
  });

  it("repeated later cancels no order of the new account", async () => {
    const user = await makeUser(START_MONEY);
    await resetOnce(user.principal, RESET_KEY, START_MONEY);
    const market = freshMarket();
    const bid = { market, action: "BUY", outcome: 0, limit: price(10_000n) } as const;
    const { orderId } = await place(user, { ...bid, size: shares(20_000_000n) });
    await resetOnce(user.principal, RESET_KEY, START_MONEY);
    expect((await orderRow(orderId)).status).toBe("open");
  });

  it("with another key resets again, and one without a key is rejected", async () => {
    const user = await makeUser(START_MONEY);
    await resetOnce(user.principal, RESET_KEY, AMOUNT);
    await depositOnce(user.userId, KEY, AMOUNT);
    await resetOnce(user.principal, `${RESET_KEY}2`, START_MONEY);
    expect((await readCashBalance(user)).owned).toBe(START_MONEY);
    await expect(resetOnce(user.principal, "", AMOUNT)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    expect((await readCashBalance(user)).owned).toBe(START_MONEY);
  });
});
