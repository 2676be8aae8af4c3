import { afterEach, describe, expect, it } from "vitest";
import { verifyBooks } from "@/lib/ledger/verify-books";
import {
  depositOnce,
  findDeposit,
  MAX_DEPOSIT,
  parseDepositAmount,
} from "@/lib/services/paper/deposit-once";
import { resetAccount } from "@/lib/services/paper/reset-account";
import { usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database";
import { cashOf, readTotals } from "@/tests/support/exchange-ledger";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const START_MONEY = usdc(1_000_000_000n);
const AMOUNT = usdc(25_500_000n);
const KEY = "dep_01M7ZK12G8TFWAS4V63H496EF5";

describe("a deposit by form", () => {
  it("submitted twice, one after the other or at once, happens once", async () => {
    const user = await makeUser(START_MONEY);
    await Promise.all(Array.from({ length: 8 }, () => depositOnce(user.userId, KEY, AMOUNT)));
    await depositOnce(user.userId, KEY, AMOUNT);
    expect(await cashOf(user)).toMatchObject({ owned: START_MONEY + AMOUNT });
    expect(await findDeposit(user.userId, KEY)).toBe(AMOUNT);
  });

  it("with the same key and another amount is refused and changes nothing", async () => {
    const user = await makeUser(START_MONEY);
    await depositOnce(user.userId, KEY, AMOUNT);
    const before = await readTotals();
    await expect(depositOnce(user.userId, KEY, usdc(1n))).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect(await readTotals()).toEqual(before);
  });

  it("of one user does not stand in the way of another's with the same key", async () => {
    const [first, second] = [await makeUser(START_MONEY), await makeUser(START_MONEY)];
    await depositOnce(first.userId, KEY, AMOUNT);
    expect(await findDeposit(second.userId, KEY)).toBeNull();
    await depositOnce(second.userId, KEY, AMOUNT);
    expect((await cashOf(second)).owned).toBe(START_MONEY + AMOUNT);
  });

  it("repeated after a reset, as by a browser's back button, adds nothing to the new account", async () => {
    const user = await makeUser(START_MONEY);
    await depositOnce(user.userId, KEY, AMOUNT);
    await resetAccount(user.principal, usdc(5_000_000n));
    await depositOnce(user.userId, KEY, AMOUNT);
    expect((await cashOf(user)).owned).toBe(5_000_000n);
  });

  it("that would take the account past what it may hold is refused and changes nothing", async () => {
    const user = await makeUser(usdc(99_999_999_000_000n));
    const before = await readTotals();
    await expect(depositOnce(user.userId, KEY, usdc(1_000_001n))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      field: "amount",
    });
    expect(await readTotals()).toEqual(before);
  });

  it.each(["", "short", "with space in the middle", "x".repeat(65), "a/../../b-long-enough"])(
    "with the key %j is refused and changes nothing",
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

describe("an amount as it is typed", () => {
  it.each([
    ["250", 250_000_000n],
    [" 1,000.50 ", 1_000_500_000n],
    ["$1,000,000", MAX_DEPOSIT],
    ["0.000001", 1n],
  ])("%j is read to the micro-unit", (text, micro) => {
    expect(parseDepositAmount(text)).toBe(micro);
  });

  it.each(["", "abc", "1e6", "1,00", "1.000,50", "0", "-5", "1000000.01", "0.0000001", "NaN"])(
    "%j is refused at its field",
    (text) => {
      expect(() => parseDepositAmount(text)).toThrowError(
        expect.objectContaining({ code: "VALIDATION_ERROR", field: "amount" }),
      );
    },
  );
});
