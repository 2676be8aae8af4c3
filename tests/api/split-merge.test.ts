import { beforeAll, describe, expect, it } from "vitest";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { setLimits } from "@/lib/limits/change-limits";
import { Balance, Portfolio } from "@/lib/schemas/account";
import { WalletTransaction, WalletTransactionList } from "@/lib/schemas/wallet-transactions";
import { usdc } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { read, readData } from "@/tests/support/api/client";
import { loadMarkets, type TestMarket, useExchange } from "@/tests/support/api/exchange";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

const DEPOSIT = 1_000_000_000n;

let market: TestMarket;
let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
  market = (await loadMarkets(user.apiKey)).short;
});

const send = (kind: "split" | "merge", body: object, key = user.apiKey) =>
  callApi("POST", `/v1/positions/${kind}`, { key, body: { marketId: market.id, ...body } });
const readCash = async (of: TestUser) =>
  (await read(Balance, "/v1/account/balance", of.apiKey)).balanceUsdc;
const readShares = async (of: TestUser) =>
  (await read(Portfolio, "/v1/positions", of.apiKey)).positions.map(({ shares }) => shares);

describe("200", () => {
  it("a split pays one dollar for a share of each outcome, and a merge pays it back", async () => {
    const owner = await makeUser();
    const split = readData(
      WalletTransaction,
      await send("split", { shares: 12.345678 }, owner.apiKey),
    );
    expect(split).toMatchObject({
      kind: "split",
      status: "confirmed",
      marketId: market.id,
      shares: 12_345_678n,
      redemptions: [],
    });
    expect(await readCash(owner)).toBe(DEPOSIT - 12_345_678n);
    expect(await readShares(owner)).toEqual([12_345_678n, 12_345_678n]);
    const merge = readData(WalletTransaction, await send("merge", { shares: 10 }, owner.apiKey));
    expect(await readCash(owner)).toBe(DEPOSIT - 2_345_678n);
    expect(await readShares(owner)).toEqual([2_345_678n, 2_345_678n]);
    const list = await read(WalletTransactionList, "/v1/wallet/transactions", owner.apiKey);
    expect(list.transactions).toEqual([merge, split]);
    expect(
      await read(WalletTransaction, `/v1/wallet/transactions/${split.id}`, owner.apiKey),
    ).toEqual(split);
    expect((await verifyBooks()).problems).toEqual([]);
  });

  it("a repeated request with the same key returns the same split, and splits once", async () => {
    const owner = await makeUser();
    const body = { shares: 5, idempotencyKey: "pairs" };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send("split", body, owner.apiKey)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await readCash(owner)).toBe(DEPOSIT - 5_000_000n);
  });
});

it("400: a transaction that has happened can't be canceled", async () => {
  const split = readData(WalletTransaction, await send("split", { shares: 1 }));
  const path = `/v1/wallet/transactions/${split.id}`;
  await expectRefusal({ code: "ORDER_NOT_CANCELABLE", message: "It is confirmed." }, () =>
    callApi("DELETE", path, { key: user.apiKey }),
  );
  expect(await read(WalletTransaction, path, user.apiKey)).toEqual(split);
});

it("401: a key without the cancel scope can't cancel a transaction", async () => {
  const trader = await makeUser(undefined, ["read", "trade"]);
  const split = readData(WalletTransaction, await send("split", { shares: 1 }, trader.apiKey));
  await expectRefusal({ code: "INSUFFICIENT_SCOPE", message: "cancel" }, () =>
    callApi("DELETE", `/v1/wallet/transactions/${split.id}`, { key: trader.apiKey }),
  );
});

describe("400", () => {
  it("a key is refused for another split", async () => {
    const body = { shares: 5, idempotencyKey: "once" };
    await send("split", body);
    await expectRefusal({ code: "IDEMPOTENCY_KEY_REUSED" }, () =>
      send("split", { ...body, shares: 6 }),
    );
    await expectRefusal({ code: "IDEMPOTENCY_KEY_REUSED" }, () => send("merge", body));
  });

  it("a split without enough cash, and a merge without enough shares, change nothing", async () => {
    await expectRefusal({ code: "INSUFFICIENT_BALANCE", message: "USDC" }, () =>
      send("split", { shares: 1_000_000 }),
    );
    await expectRefusal({ code: "INSUFFICIENT_SHARES", message: "each outcome" }, () =>
      send("merge", { shares: 500 }),
    );
  });

  it.each([
    ["key", "perDay"],
    ["key", "approvalAbove"],
    ["account", "openExposure"],
    ["user", "perOrder"],
  ] as const)("a %s with the limit %s can't split, and can merge", async (scope, name) => {
    const owner = await makeUser();
    const { userId, keyId } = owner.principal;
    await send("split", { shares: 10 }, owner.apiKey);
    const subjects = {
      key: { scope: "key", keyId: keyId ?? "" },
      account: { scope: "account", mode: "paper" },
      user: { scope: "user" },
    } as const;
    await setLimits({ userId, subject: subjects[scope], limits: { [name]: usdc(5_000_000n) } });
    await expectRefusal({ code: "RISK_LIMIT_EXCEEDED", message: name }, () =>
      send("split", { shares: 1 }, owner.apiKey),
    );
    expect(await readShares(owner)).toEqual([10_000_000n, 10_000_000n]);
    expect((await send("merge", { shares: 1 }, owner.apiKey)).status).toBe(200);
  });

  it.each([
    [{ shares: 0 }, "VALIDATION_ERROR"],
    [{ shares: -1 }, "VALIDATION_ERROR"],
    [{ shares: 1.1234567 }, "PRECISION_TOO_HIGH"],
    [{}, "VALIDATION_ERROR"],
    [{ shares: 1, extra: true }, "VALIDATION_ERROR"],
    [{ shares: 1, idempotencyKey: "" }, "VALIDATION_ERROR"],
  ] as const)("%j is refused with %s", async (body, code) => {
    await expectRefusal({ code }, () => send("split", body));
  });

  it("a resolved market can't be split", async () => {
    const owner = await makeUser();
    clock.advance(market.closesAt.getTime() + 7_200_000 - clock.now());
    await expectRefusal({ code: "MARKET_CLOSED" }, () =>
      send("split", { shares: 1 }, owner.apiKey),
    );
  });
});

it("401: a key without the trade scope can't split", async () => {
  const reader = await makeUser(undefined, ["read", "cancel"]);
  await expectRefusal({ code: "INSUFFICIENT_SCOPE", message: "trade" }, () =>
    send("split", { shares: 1 }, reader.apiKey),
  );
});

it("404: an unknown market, and another account's transaction", async () => {
  await expectRefusal({ code: "MARKET_NOT_FOUND" }, () =>
    send("split", { marketId: "no-such-market", shares: 1 }),
  );
  const { transactions } = await read(
    WalletTransactionList,
    "/v1/wallet/transactions",
    user.apiKey,
  );
  const path = `/v1/wallet/transactions/${transactions[0]?.id ?? ""}`;
  const other = await makeUser();
  for (const method of ["GET", "DELETE"] as const) {
    await expectRefusal({ code: "TRANSACTION_NOT_FOUND" }, () =>
      callApi(method, path, { key: other.apiKey }),
    );
  }
});
