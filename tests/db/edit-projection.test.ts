import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { type Action, type OutcomeIndex, toBookPrice } from "@/lib/domain/settlement";
import type { AccountPart } from "@/lib/domain/ticket/project-edit";
import { projectOrderEdit } from "@/lib/orders/project-order-edit";
import { replaceOrder } from "@/lib/orders/replace-order";
import { NO_SHARES, type Price, price, type Shares, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { readCashBalance, readHeldShares } from "@/tests/support/exchange/ledger";
import {
  findPriceInside,
  freshMarket,
  getToken,
  mintPair,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();

const RICH = usdc(10_000_000_000n);
const SIZE = shares(20_000_000n);
/** More than the house has near its best price. */
const MUCH = shares(3_000_000_000n);

/** Reads what the ledger has of the account. The order is its only one. */
async function readAccount(user: TestUser, tokenId: string): Promise<AccountPart> {
  const cash = await readCashBalance(user);
  const held = await readHeldShares(user, tokenId);
  return {
    cash: cash.available,
    reserved: cash.held,
    free: held.available,
    reservedShares: held.held,
  };
}

interface Edit {
  action: Action;
  outcome: OutcomeIndex;
  /** How far the new price is past the first price inside the spread, toward the other side of the book. */
  deeper: bigint;
  size: Shares;
  fills: "none" | "part" | "all";
}

it.each<[string, Edit]>([
  [
    "a buy that rests at another price",
    { action: "BUY", outcome: 0, deeper: -3n, size: SIZE, fills: "none" },
  ],
  [
    "a larger buy",
    { action: "BUY", outcome: 1, deeper: 0n, size: shares(31_010_000n), fills: "none" },
  ],
  ["a buy that fills", { action: "BUY", outcome: 0, deeper: 25n, size: SIZE, fills: "all" }],
  [
    "a buy that fills in part",
    { action: "BUY", outcome: 1, deeper: 8n, size: MUCH, fills: "part" },
  ],
  [
    "a sell that rests at another price",
    { action: "SELL", outcome: 0, deeper: -3n, size: SIZE, fills: "none" },
  ],
  [
    "a larger sell",
    { action: "SELL", outcome: 1, deeper: 0n, size: shares(31_010_000n), fills: "none" },
  ],
  ["a sell that fills", { action: "SELL", outcome: 1, deeper: 25n, size: SIZE, fills: "all" }],
  [
    "a smaller sell that fills",
    { action: "SELL", outcome: 0, deeper: 25n, size: shares(7_000_000n), fills: "all" },
  ],
])("the projection of an edit to %s is what the ledger has afterwards", async (_, edit) => {
  const { action, outcome } = edit;
  const [user, other, market] = [await makeUser(RICH), await makeUser(), freshMarket()];
  const token = getToken(market, outcome);
  const users = outcome === 0 ? { first: user, second: other } : { first: other, second: user };
  await mintPair(market, users, shares(60_000_000n));
  const inside = toBookPrice(outcome, findPriceInside(market)(1));
  const { orderId, status } = await place(user, {
    market,
    action,
    outcome,
    limit: inside,
    size: SIZE,
  });
  expect(status).toBe("open");
  const step = edit.deeper * market.tick;
  const limit: Price = price(action === "BUY" ? inside + step : inside - step);
  const before = await readAccount(user, token);
  const { now, open, projection } = await projectOrderEdit(user.principal, orderId, {
    price: limit,
    shares: edit.size,
  });
  expect([now, open]).toEqual([before, SIZE]);
  expect(projection?.issues).toEqual([]);
  const { filled = NO_SHARES } = projection?.estimate ?? {};
  expect(filled === 0n ? "none" : filled === edit.size ? "all" : "part").toBe(edit.fills);
  const result = await replaceOrder(user.principal, {
    orderId,
    key: `ui-${randomUUID()}`,
    price: limit,
    shares: edit.size,
  });
  expect(result).toMatchObject({
    outcome: "placed",
    filledShares: filled,
  });
  expect(projection?.after).toEqual(await readAccount(user, token));
});

it("the projection of an edit names the cash that is short, with the old order's as available", async () => {
  const [user, market] = [await makeUser(usdc(100_000_000n)), freshMarket()];
  const limit = findPriceInside(market)(0);
  const size = shares(100_000_000n);
  const { orderId } = await place(user, { market, action: "BUY", outcome: 0, limit, size });
  const project = async (wanted: Shares) =>
    (await projectOrderEdit(user.principal, orderId, { price: limit, shares: wanted })).projection;
  const short = await project(shares(1_000_000_000n));
  expect(short?.issues).toMatchObject([{ kind: "cash_short", available: 100_000_000n }]);
  // The same terms change nothing.
  expect(await project(size)).toBeNull();
});

it("an edit to no shares, or to a price that no order has, has no projection", async () => {
  const [user, market] = [await makeUser(), freshMarket()];
  const limit = findPriceInside(market)(0);
  const { orderId } = await place(user, { market, action: "BUY", outcome: 0, limit, size: SIZE });
  const terms: [Shares, Price][] = [
    [NO_SHARES, limit],
    [SIZE, price(0n)],
    [SIZE, price(-100_000n)],
    [SIZE, price(1_000_000n)],
  ];
  for (const [wanted, at] of terms) {
    const edit = await projectOrderEdit(user.principal, orderId, { price: at, shares: wanted });
    expect(edit.projection).toBeNull();
  }
});

it("an edit of another user's order has no projection", async () => {
  const [user, other, market] = [await makeUser(), await makeUser(), freshMarket()];
  const limit = findPriceInside(market)(0);
  const { orderId } = await place(user, { market, action: "BUY", outcome: 0, limit, size: SIZE });
  await expect(projectOrderEdit(other.principal, orderId, null)).rejects.toMatchObject({
    code: "ORDER_NOT_FOUND",
  });
});
