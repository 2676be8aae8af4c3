import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { placeOrder } from "@/lib/orders/place-order";
import { getReplacement, replaceOrder } from "@/lib/orders/replace-order";
import { reviewReplacement } from "@/lib/orders/review-replacement";
import { averagePrice, type Price, price, shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { orderRow, readCashBalance, readLedger } from "@/tests/support/exchange/ledger";
import {
  createBody,
  findPriceInside,
  freshMarket,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();

const SIZE = shares(20_000_000n);
const MORE = shares(30_000_000n);
const HIGH = price(950_000n);
const CENT = 10_000n;

interface Bid {
  user: TestUser;
  orderId: string;
  at: (index: number) => Price;
}

/** Places a bid that rests between the house's quotes. */
async function restBid(): Promise<Bid> {
  const [user, market] = [await makeUser(), freshMarket()];
  const at = findPriceInside(market);
  const { orderId, status } = await place(user, {
    market,
    action: "BUY",
    outcome: 0,
    limit: at(0),
    size: SIZE,
  });
  expect(status).toBe("open");
  return { user, orderId, at };
}

const createRequest = ({ orderId }: Bid, at: Price, size = SIZE) => ({
  orderId,
  key: `ui-${randomUUID()}`,
  price: at,
  shares: size,
});

/** Returns the review of a change to the high price, which fills immediately. */
async function reviewHigh(bid: Bid) {
  const review = await reviewReplacement(bid.user.principal, createRequest(bid, HIGH), null);
  if (!review) throw new Error("the change fills immediately");
  return review;
}

describe("the review of a change that fills immediately", () => {
  it("has the ticket's warnings and the price that is then paid, and changes nothing", async () => {
    const bid = await restBid();
    const before = [await orderRow(bid.orderId), await readCashBalance(bid.user)];
    const ledger = await readLedger();
    const { average, estimate, warnings, resting } = await reviewHigh(bid);
    expect(warnings.map(({ kind }) => kind)).toContain("fills_now");
    expect(resting).toBe(0n);
    expect([await orderRow(bid.orderId), await readCashBalance(bid.user)]).toEqual(before);
    expect(await readLedger()).toEqual(ledger);
    expect(await getReplacement(bid.user.principal, bid.orderId)).toBeNull();

    const result = await replaceOrder(bid.user.principal, createRequest(bid, HIGH));
    expect(result).toMatchObject({
      outcome: "placed",
      status: "filled",
      filledShares: SIZE,
      average,
    });
    if (result.outcome !== "placed") throw new Error("the order is placed");
    const { filledNotional, filledShares, fee } = await orderRow(result.newOrderId);
    expect(averagePrice(filledNotional, filledShares)).toBe(average);
    expect([filledNotional, fee]).toEqual([estimate.amount, estimate.fee]);
  });

  it("ends with the confirmation of the same terms", async () => {
    const bid = await restBid();
    const { average } = await reviewHigh(bid);
    const request = createRequest(bid, HIGH);
    const confirmed = { price: HIGH, shares: SIZE, average };
    expect(await reviewReplacement(bid.user.principal, request, confirmed)).toBeNull();
  });

  it("asks again if the price, the shares or the market's price differ from the confirmed", async () => {
    const bid = await restBid();
    const { average } = await reviewHigh(bid);
    const { principal } = bid.user;
    const confirmed = { price: HIGH, shares: SIZE, average };
    const lower = createRequest(bid, price(HIGH - CENT));
    expect(await reviewReplacement(principal, lower, confirmed)).toMatchObject({ average });
    const larger = createRequest(bid, HIGH, MORE);
    expect(await reviewReplacement(principal, larger, confirmed)).not.toBeNull();
    const moved = { ...confirmed, average: price(average - 2n * CENT) };
    const same = createRequest(bid, HIGH);
    expect(await reviewReplacement(principal, same, moved)).toMatchObject({ average });
  });
});

describe("a change", () => {
  it("that only rests needs no confirmation", async () => {
    const bid = await restBid();
    const request = createRequest(bid, bid.at(1));
    expect(await reviewReplacement(bid.user.principal, request, null)).toBeNull();
  });

  it("that can't be made is rejected before the question", async () => {
    const [user, market] = [await makeUser(), freshMarket()];
    const limit = findPriceInside(market)(0);
    const body = createBody({ market, action: "BUY", outcome: 0, limit, size: SIZE });
    const { orderId } = await placeOrder(user.principal, { ...body, postOnly: true });
    const request = { orderId, key: `ui-${randomUUID()}`, price: HIGH, shares: SIZE };
    await expect(reviewReplacement(user.principal, request, null)).rejects.toMatchObject({
      code: "ORDER_REJECTED",
    });
    expect(await orderRow(orderId)).toMatchObject({ status: "open", price: limit });
  });

  it("that has started needs no second confirmation", async () => {
    const bid = await restBid();
    const request = createRequest(bid, HIGH);
    await replaceOrder(bid.user.principal, request);
    expect(await reviewReplacement(bid.user.principal, request, null)).toBeNull();
  });
});
