import { beforeAll, describe, expect, it } from "vitest";
import { setAllowance } from "@/tests/support/exchange/allowance";
import { Balance } from "@/lib/schemas/account";
import { deposit } from "@/lib/accounts/deposit";
import { usdc } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { place, placeAndRead, read } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const readBalance = (of: TestUser) => read(Balance, "/v1/account/balance", of.apiKey);
const readWire = async (of: TestUser) =>
  (await callApi("GET", "/v1/account/balance", { key: of.apiKey })).body.data as unknown;
const UNLIMITED = (2n ** 256n - 1n).toString();

describe("200", () => {
  it("has every documented field", async () => {
    const fresh = await makeUser(usdc(12_345_678_901n));
    expect(await readWire(fresh)).toEqual({
      userId: fresh.userId,
      address: fresh.address,
      funderAddress: fresh.funderAddress,
      balanceBaseUnit: "12345678901",
      allowanceBaseUnit: UNLIMITED,
      balanceUsdc: 12_345.678901,
    });
    expect(fresh.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(fresh.funderAddress).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(fresh.funderAddress).not.toBe(fresh.address);
  });

  it.each([1n, 999_999n, 1_000_000n, 100_000_000_000_000n, 999_999_999_999_999n])(
    "balanceBaseUnit is balanceUsdc times a million, exactly: %s base units",
    async (amount) => {
      const wire = (await readWire(await makeUser(usdc(amount)))) as Record<string, unknown>;
      expect(wire["balanceBaseUnit"]).toBe(amount.toString());
      const whole = String(wire["balanceUsdc"]).split(".");
      expect(BigInt(`${whole[0]}${(whole[1] ?? "").padEnd(6, "0")}`)).toBe(amount);
    },
  );

  it("an account without money has a balance of zero", async () => {
    const wire = await readWire(await makeUser(usdc(0n)));
    expect(wire).toMatchObject({ balanceBaseUnit: "0", balanceUsdc: 0 });
  });

  it("an unknown allowance is null, a limited one is in base units", async () => {
    const fresh = await makeUser();
    await setAllowance(fresh.userId, null);
    expect(await readWire(fresh)).toMatchObject({ allowanceBaseUnit: null });
    await setAllowance(fresh.userId, 0n);
    expect(await readWire(fresh)).toMatchObject({ allowanceBaseUnit: "0" });
    await setAllowance(fresh.userId, 123n);
    expect(await readWire(fresh)).toMatchObject({ allowanceBaseUnit: "123" });
  });

  it("the balance includes cash that open buys reserve", async () => {
    const before = await readBalance(user);
    await place(user.apiKey, orderFor(markets.free, { price: 0.2, shares: 100 }));
    expect(await readBalance(user)).toEqual(before);
  });

  it("a buy lowers it by fills and fees, a sell raises it by its net proceeds", async () => {
    const before = (await readBalance(user)).balanceUsdc;
    const bought = await placeAndRead(
      user.apiKey,
      orderFor(markets.taxed, { orderType: "market", shares: 40 }),
    );
    const paid = bought.fills.reduce((total, fill) => total + fill.amount + fill.fee, 0n);
    expect((await readBalance(user)).balanceUsdc).toBe(before - paid);
    const sold = await placeAndRead(
      user.apiKey,
      orderFor(markets.taxed, { orderType: "market", action: "SELL", shares: 40 }),
    );
    const got = sold.fills.reduce((total, fill) => total + fill.amount - fill.fee, 0n);
    expect((await readBalance(user)).balanceUsdc).toBe(before - paid + got);
  });

  it("a deposit raises it", async () => {
    const before = (await readBalance(user)).balanceUsdc;
    await deposit(user.userId, usdc(1n));
    expect((await readBalance(user)).balanceUsdc).toBe(before + 1n);
  });

  it("reading doesn't change it", async () => {
    const [one, two] = [await readWire(user), await readWire(user)];
    expect(two).toEqual(one);
  });
});

describe("401", () => {
  it("without a key", () =>
    expectRefusal({ code: "MISSING_API_KEY" }, () => callApi("GET", "/v1/account/balance")));

  it("a key without the read scope is rejected", async () => {
    const trader = await makeUser(undefined, ["trade", "cancel"]);
    await expectRefusal({ code: "INSUFFICIENT_SCOPE", message: "read" }, () =>
      callApi("GET", "/v1/account/balance", { key: trader.apiKey }),
    );
  });
});

describe("400", () => {
  it("a repeated parameter is rejected", () =>
    expectRefusal({ code: "VALIDATION_ERROR" }, () =>
      callApi("GET", "/v1/account/balance?a=1&a=2", { key: user.apiKey }),
    ));
});
