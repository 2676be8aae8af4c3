import { describe, expect, it, onTestFinished } from "vitest";
import { now, setClock } from "@/lib/clock";
import { bestPrice } from "@/lib/domain/matching";
import { getOrder } from "@/lib/orders/get-order";
import { price, shares, usdc } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import { tick } from "@/lib/exchange/ticker";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findLiveMarket,
  type LiveUser,
  LONG_TIMEOUTS,
  makeLiveUser,
  type Order,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { compareOrders, reconcileUntilSettled } from "@/tests/support/live/compare-with-venue";

const venue = await useLiveVenue(LONG_TIMEOUTS);
useFreshDatabase();

/** The body of the last order that was posted to the venue. */
function lastPost(): Record<string, unknown> & { order: Record<string, unknown> } {
  const call = venue.calls.findLast(
    ({ method, path }) => method === "POST" && path === "/clob/order",
  );
  return JSON.parse(call?.body ?? "{}");
}

async function record(user: LiveUser, orderId: string | null) {
  return getOrder(user.live, orderId ?? "");
}

async function askPrice() {
  return bestPrice(await remoteVenue().getBook(await findLiveMarket()), "ask") ?? price(0n);
}

describe("order options at the live venue", () => {
  it("a GTD order is posted with its expiration, stays open, expires and releases its hold", async () => {
    const user = await makeLiveUser();
    const expiresAt = new Date(now() + 150_500);
    const order: Order = { ...RESTING, timeInForce: "GTD", expiresAt, postOnly: true };
    const placed = await send(user, order, "gtd");
    expect(placed).toMatchObject({ status: 200 });
    const seconds = Math.floor(expiresAt.getTime() / 1000);
    expect(lastPost()).toMatchObject({
      orderType: "GTD",
      postOnly: true,
      order: { expiration: String(seconds + 60) },
    });
    expect(await record(user, placed.orderId)).toMatchObject({
      status: "open",
      timeInForce: "GTD",
      expiresAt: new Date(seconds * 1000),
      postOnly: true,
    });
    const start = Date.now();
    onTestFinished(setClock(() => Date.now() - start + seconds * 1000 + 2_000));
    await tick();
    await reconcileUntilSettled(user);
    expect(await record(user, placed.orderId)).toMatchObject({ status: "expired" });
    const [compared] = await compareOrders(user);
    expect(compared?.ours).toMatchObject({ status: "expired", filled: 0n, held: 0n });
    expect(await send(user, order, "gtd"), "the stored response").toEqual(placed);
  });

  it("a post-only order that would cross is rejected and holds nothing", async () => {
    const user = await makeLiveUser();
    const order = { ...RESTING, price: await askPrice(), postOnly: true };
    const placed = await send(user, order, "crossing");
    expect(placed).toMatchObject({ status: 400, code: "ORDER_REJECTED" });
    const [compared] = await compareOrders(user);
    expect(compared?.ours).toMatchObject({ status: "rejected", held: 0n });
  });

  it.each(["limit", "market"] as const)(
    "a %s order with FOK fills in full or not at all",
    async (orderType) => {
      const user = await makeLiveUser();
      const order: Order = {
        action: "BUY",
        orderType,
        price: await askPrice(),
        timeInForce: "FOK",
        amount: usdc(2_000_000n),
      };
      const placed = await send(user, order, "small");
      expect(placed).toMatchObject({ status: 200 });
      expect(lastPost()).toMatchObject({ orderType: "FOK" });
      expect(await record(user, placed.orderId)).toMatchObject({
        type: orderType,
        timeInForce: "FOK",
        status: "filled",
      });
      const refused = await send(user, { ...order, amount: usdc(900_000_000_000n) }, "huge");
      expect(refused.code).toMatch(/ORDER_NOT_FILLED|INSUFFICIENT_BALANCE/);
      const unmatched = { ...order, price: price(10_000n) };
      expect(await send(user, unmatched, "unmatched")).toMatchObject({ code: "ORDER_NOT_FILLED" });
    },
  );

  it("a limit order with FAK fills what it can and never rests", async () => {
    const user = await makeLiveUser();
    const order: Order = {
      action: "BUY",
      orderType: "limit",
      price: await askPrice(),
      timeInForce: "FAK",
      shares: shares(10_000_000n),
    };
    const { orderId } = await send(user, order, "fak");
    await reconcileUntilSettled(user);
    const made = await record(user, orderId);
    expect(made).toMatchObject({ type: "limit", timeInForce: "FAK" });
    expect(["filled", "canceled"]).toContain(made.status);
  });

  it.each<[Partial<Order>, string]>([
    [{ timeInForce: "FOK" }, "CONFLICTING_FIELDS"],
    [{ timeInForce: "GTD", expiresAt: new Date(now() + 60_000) }, "VALIDATION_ERROR"],
  ])("options that the venue lacks are rejected before signing: %j", async (fields, code) => {
    const user = await makeLiveUser();
    expect(await send(user, { ...RESTING, ...fields }, "no")).toMatchObject({ status: 400, code });
    expect(await compareOrders(user)).toEqual([]);
  });
});
