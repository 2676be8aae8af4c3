import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { ActivityList, Balance, type ActivityLine } from "@/lib/schemas/account";
import { deposit } from "@/lib/accounts/deposit";
import { resetAccount } from "@/lib/accounts/reset-account";
import { microToNumber, usdc } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { cancel, place, placeAndRead, read } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  readQuotes,
  type TestMarkets,
  readTick,
  useExchange,
} from "@/tests/support/api/exchange";
import { itRefusesBadCursors } from "@/tests/support/api/paged-lists";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

type Line = z.output<typeof ActivityLine>;

let user: TestUser;
let other: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  other = await makeUser();
  markets = await loadMarkets(user.apiKey);
  const { free, taxed } = markets;
  const key = user.apiKey;
  await place(key, orderFor(taxed, { orderType: "market", amount: 25 }));
  await place(key, orderFor(free, { orderType: "market", amount: 5 }));
  await place(key, orderFor(taxed, { orderType: "market", action: "SELL", shares: 11.5 }));
  await cancel(key, (await place(key, orderFor(free))).orderId);
  await deposit(user.userId, usdc(10_000_001n));
  // A maker fill of an order that stays partially open.
  const at = readQuotes(taxed).bid + readTick(taxed);
  await place(key, orderFor(taxed, { price: microToNumber(at), shares: 20 }));
  const tokenId = taxed.outcomes[1].tokenId;
  const price = microToNumber(1_000_000n - at);
  await place(other.apiKey, orderFor(taxed, { tokenId, price, shares: 8 }));
});

const list = (query = "", key = user.apiKey) => read(ActivityList, `/v1/activity${query}`, key);

/** Asserts that each balance is the previous one plus the amount, and that the newest is current. */
async function expectChain(lines: readonly Line[], key: string): Promise<void> {
  const { balanceUsdc } = await read(Balance, "/v1/account/balance", key);
  let balance: bigint = balanceUsdc;
  for (const line of lines) {
    expect(line.balanceUsdc).toBe(balance);
    balance -= line.amountUsdc;
  }
  expect(balance).toBe(0n);
}

describe("200", () => {
  it("running balances are exact from zero to the current balance", async () => {
    const { lines, nextCursor } = await list();
    expect(nextCursor).toBeNull();
    await expectChain(lines, user.apiKey);
    await expectChain((await list("", other.apiKey)).lines, other.apiKey);
  });

  it("lists deposits, trades and fees, newest first, without holds", async () => {
    const { lines } = await list();
    expect(new Set(lines.map((line) => line.kind))).toEqual(new Set(["deposit", "trade", "fee"]));
    expect(lines.at(-1)).toMatchObject({
      kind: "deposit",
      amountUsdc: 1_000_000_000n,
      balanceUsdc: 1_000_000_000n,
      orderId: null,
      marketId: null,
    });
    expect(lines.every((line) => line.amountUsdc !== 0n)).toBe(true);
    expect(new Set(lines.map((line) => line.id)).size).toBe(lines.length);
  });

  it("the lines of an order are its fills and their fees", async () => {
    const body = orderFor(markets.taxed, { orderType: "market", amount: 20 });
    const record = await placeAndRead(user.apiKey, body);
    const { lines } = await list();
    const own = lines.filter((line) => line.orderId === record.id);
    const amounts = (kind: string) =>
      own.filter((line) => line.kind === kind).map((line) => -line.amountUsdc);
    expect(amounts("trade").toSorted()).toEqual(record.fills.map((fill) => fill.amount).toSorted());
    expect(amounts("fee").toSorted()).toEqual(record.fills.map((fill) => fill.fee).toSorted());
    expect(own.every((line) => line.marketId === markets.taxed.id)).toBe(true);
  });

  it("a sell to the house has the lines of its order: proceeds and fee", async () => {
    const seller = await makeUser();
    await place(seller.apiKey, orderFor(markets.taxed, { orderType: "market", shares: 5 }));
    const body = orderFor(markets.taxed, { orderType: "market", action: "SELL", shares: 5 });
    const record = await placeAndRead(seller.apiKey, body);
    const own = (await list("", seller.apiKey)).lines.filter((line) => line.orderId === record.id);
    const sum = own.reduce((total, line) => total + line.amountUsdc, 0n);
    const paid = record.fills.reduce((total, fill) => total + fill.amount - fill.fee, 0n);
    expect(sum).toBe(paid);
  });

  it("a sell to another user names the seller's order, never the buyer's", async () => {
    const [seller, buyer] = [await makeUser(), await makeUser()];
    const { taxed } = markets;
    await place(seller.apiKey, orderFor(taxed, { orderType: "market", shares: 5 }));
    const price = microToNumber(readQuotes(taxed).bid + 2n * readTick(taxed));
    await place(buyer.apiKey, orderFor(taxed, { price, shares: 5 }));
    const sale = orderFor(taxed, { orderType: "market", action: "SELL", shares: 5 });
    const { orderId } = await place(seller.apiKey, sale);
    const [fee, proceeds] = (await list("", seller.apiKey)).lines;
    expect(fee).toMatchObject({ kind: "fee", orderId });
    expect(proceeds).toMatchObject({ kind: "trade", orderId });
  });

  it.each([1, 2, 3, 100])("returns the same balances in pages of %s", async (limit) => {
    const whole = (await list()).lines;
    const lines: Line[] = [];
    let cursor: string | null = "";
    while (cursor !== null && lines.length <= whole.length) {
      const page: z.output<typeof ActivityList> = await list(
        `?limit=${limit}${cursor === "" ? "" : `&nextCursor=${cursor}`}`,
      );
      lines.push(...page.lines);
      cursor = page.nextCursor;
    }
    expect(lines).toEqual(whole);
  });

  it("a cursor stays valid while new lines arrive", async () => {
    const whole = (await list()).lines;
    const first = await list("?limit=2");
    await deposit(user.userId, usdc(5n));
    const rest = await list(`?nextCursor=${first.nextCursor}`);
    expect([...first.lines, ...rest.lines]).toEqual(whole);
  });

  it("a rejected order leaves no line", async () => {
    const before = await list();
    const body = orderFor(markets.bidless, { orderType: "market", action: "SELL", shares: 5 });
    expect((await callApi("POST", "/v1/orders", { key: user.apiKey, body })).status).toBe(400);
    expect(await list()).toEqual(before);
  });

  it("after a reset the new epoch starts with its deposit", async () => {
    const fresh = await makeUser();
    await place(fresh.apiKey, orderFor(markets.free, { orderType: "market", amount: 5 }));
    await resetAccount(fresh.principal, usdc(42_000_000n));
    const { lines } = await list("", fresh.apiKey);
    expect(lines).toMatchObject([{ kind: "deposit", balanceUsdc: 42_000_000n }]);
    await expectChain(lines, fresh.apiKey);
  });
});

describe("400", () => {
  it.each(["limit=0", "limit=1001", "limit=x", "limit=", "limit=1&limit=2"])(
    "%s is refused",
    async (query) => {
      await expectRefusal({ code: "VALIDATION_ERROR", message: "limit: " }, () =>
        callApi("GET", `/v1/activity?${query}`, { key: user.apiKey }),
      );
    },
  );

  it.each([
    ["a balance that nobody has", ["activity", "99999", 1, "999999999999999999"]],
    ["another epoch", ["activity", "99999", 7, "5"]],
    ["a negative balance", ["activity", "99999", 1, "-5"]],
  ])("a forged cursor with %s is rejected", async (_name, values) => {
    const forged = Buffer.from(JSON.stringify(values)).toString("base64url");
    await expectRefusal({ code: "INVALID_CURSOR" }, () =>
      callApi("GET", `/v1/activity?nextCursor=${forged}`, { key: user.apiKey }),
    );
  });

  it("another user's cursor is rejected because it carries a balance", async () => {
    const { nextCursor } = await list("?limit=1", other.apiKey);
    expect(nextCursor).not.toBeNull();
    await expectRefusal({ code: "INVALID_CURSOR" }, () =>
      callApi("GET", `/v1/activity?nextCursor=${nextCursor}`, { key: user.apiKey }),
    );
  });

  itRefusesBadCursors({
    path: "/v1/activity?limit=1",
    key: () => user.apiKey,
    cursor: async () => (await list("?limit=1")).nextCursor ?? "",
  });
});
