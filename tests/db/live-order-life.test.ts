import { describe, expect, it, onTestFinished, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { fillSettlements } from "@/lib/db/schema/remote-orders";
import { selectOpenSettlements } from "@/lib/db/queries/remote-orders";
import { removeLiveWallet } from "@/lib/services/live-wallet/remove-live-wallet";
import { cancelOrder } from "@/lib/services/orders/cancel-order";
import { cancelOrders } from "@/lib/services/orders/cancel-orders";
import { getOrder } from "@/lib/services/orders/get-order";
import { OrderChange } from "@/lib/services/remote-orders/order-change";
import { hurry, unsettledUsers } from "@/lib/services/remote-orders/reconcile";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { ONE, price, shares } from "@/lib/units";
import type { Fault, VenueCall } from "@/tests/support/fault-server";
import { useFreshDatabase } from "@/tests/support/database";
import {
  failureOf,
  insidePrice,
  type LiveUser,
  makeLiveUser,
  MARKET_BUY,
  type Order,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live";
import { answerEmpty, failRequests, TAKEN, UNSEEN } from "@/tests/support/live-faults";
import { compare, converge, disagreements, fillsOf } from "@/tests/support/live-truth";

const venue = await useLiveVenue();
useFreshDatabase();

const heal = () => {
  venue.fault = () => null;
};

async function placed(user: LiveUser, order: Order, key = "key"): Promise<string> {
  const { status, orderId } = await send(user, order, key);
  expect(status).toBe(200);
  if (orderId === null) throw new Error("an accepted order has an id");
  return orderId;
}

async function cancel(user: LiveUser, orderId: string) {
  try {
    return { status: 200, order: await cancelOrder(user.live, orderId) };
  } catch (error) {
    return failureOf(error);
  }
}

/** The venue shows neither orders nor trades. */
const hideOrders = ({ method, path }: VenueCall): Fault | null => {
  if (method === "GET" && /^\/clob\/data\/(orders|trades)$/.test(path)) return answerEmpty;
  if (!path.startsWith("/clob/data/order/")) return null;
  return async (_, { send: answer }) => answer(Response.json(null));
};

/** Every trade that the venue lists has this status from now on. */
function tellTradesAs(status: string): void {
  failRequests(venue, "GET", "/clob/data/trades", async (handle, { send: answer }) => {
    const page = (await (await handle()).json()) as { data: Record<string, unknown>[] };
    await answer(Response.json({ ...page, data: page.data.map((one) => ({ ...one, status })) }));
  });
}

it("a wallet that is used by several requests at once for the first time serves them all", async () => {
  const user = await makeLiveUser();
  const traders = await Promise.all(Array.from({ length: 8 }, () => requireTrader(user.userId)));
  const [first] = traders;
  expect(first?.credentials?.key).toBeTruthy();
  for (const { credentials } of traders) expect(credentials).toEqual(first?.credentials);
});

it("credentials that the venue does not take any more are asked for anew", async () => {
  const user = await makeLiveUser();
  const orderId = await placed(user, RESTING);
  let isRenewed = false;
  venue.fault = ({ path }) => {
    isRenewed ||= path === "/clob/auth/derive-api-key";
    if (isRenewed) return null;
    return (_, { send: answer }) =>
      answer(Response.json({ error: "Unauthorized" }, { status: 401 }));
  };
  expect(await cancel(user, orderId)).toMatchObject({ status: 502 });
  await hurry(user.userId);
  expect(await getOrder(user.live, orderId)).toMatchObject({ status: "open" });
  await converge(user);
  expect(isRenewed).toBe(true);
  expect(await getOrder(user.live, orderId)).toMatchObject({ status: "canceled" });
  expect(await disagreements(user)).toEqual([]);
});

describe("canceling a live order", () => {
  it("takes it off the venue, releases its hold and can be repeated", async () => {
    const user = await makeLiveUser();
    const orderId = await placed(user, RESTING);
    expect(await cancel(user, orderId)).toMatchObject({ order: { status: "canceled" } });
    expect(await cancel(user, orderId)).toMatchObject({ order: { status: "canceled" } });
    expect((await compare(user))[0]).toMatchObject({
      ours: { status: "canceled", held: 0n },
      venue: { status: "canceled" },
    });
    expect(await disagreements(user)).toEqual([]);
  });

  it.each(Object.entries({ ...TAKEN, ...UNSEEN }))(
    "is known in the end when %s",
    async (_, fault) => {
      const user = await makeLiveUser();
      const orderId = await placed(user, RESTING);
      failRequests(venue, "DELETE", "/clob/order", fault, 1);
      const first = await cancel(user, orderId);
      heal();
      if (first.status !== 200) expect(first).toMatchObject({ code: "CANCEL_OUTCOME_UNKNOWN" });
      await converge(user);
      expect((await compare(user))[0]).toMatchObject({
        ours: { status: "canceled", held: 0n },
        venue: { status: "canceled" },
      });
      expect(await cancel(user, orderId)).toMatchObject({ status: 200 });
      expect(await disagreements(user)).toEqual([]);
    },
  );

  it("that comes after the fill says that it was filled, and changes nothing", async () => {
    const user = await makeLiveUser();
    const orderId = await placed(user, MARKET_BUY);
    const before = await compare(user);
    expect(await cancel(user, orderId)).toMatchObject({ code: "ORDER_NOT_CANCELABLE" });
    expect(await compare(user)).toEqual(before);
  });

  it("of another user's order is not found, and changes nothing", async () => {
    const [owner, other] = [await makeLiveUser(), await makeLiveUser()];
    const orderId = await placed(owner, RESTING);
    const before = await compare(owner);
    expect(await cancel(other, orderId)).toMatchObject({ status: 404 });
    expect(await compare(owner)).toEqual(before);
  });

  it("all of one user's leaves another user's alone", async () => {
    const [owner, other] = [await makeLiveUser(), await makeLiveUser()];
    const orderId = await placed(owner, RESTING);
    const own = await placed(other, RESTING);
    const before = await compare(owner);
    const { canceled, notCanceled } = await cancelOrders(other.live);
    // A venue that takes its time may leave it open for the moment.
    expect([...canceled, ...notCanceled.map(({ id }) => id)]).toEqual([own]);
    await converge(other);
    expect(await getOrder(other.live, own)).toMatchObject({ status: "canceled" });
    expect(await compare(owner)).toEqual(before);
    expect(await getOrder(owner.live, orderId)).toMatchObject({ status: "open" });
  });

  it("all of a user's are not without the one that nobody knows the fate of", async () => {
    const user = await makeLiveUser();
    await requireTrader(user.userId);
    let isPosted = false;
    venue.fault = ({ method, path, owner }) => {
      if (owner !== user.owner.toLowerCase()) return null;
      const isFirst = method === "POST" && path === "/clob/order" && !isPosted;
      isPosted ||= isFirst;
      return async (handle, { drop }) => {
        if (isFirst) await handle();
        drop();
      };
    };
    expect(await send(user, RESTING, "key")).toMatchObject({ status: 502 });
    heal();
    const [order] = await compare(user);
    expect(order).toMatchObject({ ours: { status: "unknown" }, venue: { status: "open" } });
    expect(await cancelOrders(user.live)).toMatchObject({ canceled: [expect.any(String)] });
    expect((await compare(user))[0]?.venue).toMatchObject({ status: "canceled" });
    expect(await disagreements(user)).toEqual([]);
  });
});

describe("what happens while nobody looks", () => {
  it("a resting order that was filled meanwhile is found filled, with its fills", async () => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await insidePrice();
    const size = shares(20_000_000n);
    const orderId = await placed(maker, { ...RESTING, price: at, shares: size });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: size };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    await converge(maker);
    const order = await getOrder(maker.live, orderId);
    expect(order).toMatchObject({ status: "filled", filledShares: size });
    expect(order.fills.every(({ role }) => role === "maker")).toBe(true);
    await converge(taker);
    expect([...(await disagreements(maker)), ...(await disagreements(taker))]).toEqual([]);
  });

  it("an order that is not shown, has filled and cannot be canceled is found filled", async () => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await insidePrice();
    const size = shares(20_000_000n);
    const orderId = await placed(maker, { ...RESTING, price: at, shares: size });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: size };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    const asked = venue.calls.length;
    const cancels = () =>
      venue.calls.slice(asked).filter(({ method }) => method === "DELETE").length;
    // The venue forgets the order at once, and lists its trades only when asked to cancel again.
    venue.fault = ({ method, path }) => {
      const isTrades = path === "/clob/data/trades" && cancels() < 2;
      if (method === "GET" && (isTrades || path === "/clob/data/orders")) return answerEmpty;
      if (!path.startsWith("/clob/data/order/")) return null;
      return async (_, { send: answer }) => answer(Response.json(null));
    };
    const statuses = new Set<string>();
    const look = async () => {
      await hurry(maker.userId);
      const { status } = await getOrder(maker.live, orderId);
      statuses.add(status);
      return status;
    };
    await expect.poll(look, { timeout: 20_000 }).toBe("filled");
    heal();
    expect([...statuses]).toEqual(["open", "filled"]);
    expect((await compare(maker))[0]).toMatchObject({ ours: { held: 0n, filled: size } });
    await converge(taker);
    expect([...(await disagreements(maker)), ...(await disagreements(taker))]).toEqual([]);
  });

  it("a trade that is listed after its order was canceled is recorded all the same", async () => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await insidePrice();
    const [all, half] = [shares(20_000_000n), shares(10_000_000n)];
    const orderId = await placed(maker, { ...RESTING, price: at, shares: all });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: half };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    const tradedAt = Date.now();
    venue.fault = hideOrders;
    expect(await cancel(maker, orderId)).toMatchObject({ order: { filledShares: 0n } });
    // The venue dates trades in whole seconds: two of them later this one is in the past.
    await expect.poll(() => Date.now() - tradedAt, { timeout: 5_000 }).toBeGreaterThan(2_000);
    await hurry(maker.userId);
    heal();
    await hurry(maker.userId);
    expect((await compare(maker))[0]).toMatchObject({
      ours: { status: "canceled", held: 0n, filled: half },
      venue: { status: "canceled", filled: half },
    });
    expect(await disagreements(maker)).toEqual([]);
  });

  it("an account whose wallet is gone is not compared any more: nobody could ask", async () => {
    const user = await makeLiveUser();
    await placed(user, MARKET_BUY);
    expect(await unsettledUsers()).toContain(user.userId);
    await removeLiveWallet(user.userId);
    expect(await unsettledUsers()).not.toContain(user.userId);
  });

  it.each([
    ["the first comparison of an account looks for trades from its first order on", false],
    ["a comparison that could not record a trade is not taken for one that knows it", true],
  ])("%s", async (_name, isBroken) => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await insidePrice();
    const half = shares(10_000_000n);
    const orderId = await placed(maker, { ...RESTING, price: at, shares: shares(20_000_000n) });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: half };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    venue.fault = hideOrders;
    expect(await cancel(maker, orderId)).toMatchObject({ order: { filledShares: 0n } });
    heal();
    onTestFinished(setClock(() => Date.now() + 600_000));
    if (isBroken) {
      vi.spyOn(OrderChange, "open").mockRejectedValueOnce(new Error("the row is locked"));
      await hurry(maker.userId);
      expect(await getOrder(maker.live, orderId)).toMatchObject({ filledShares: 0n });
    }
    await placed(maker, RESTING, "later");
    await hurry(maker.userId);
    expect(await getOrder(maker.live, orderId)).toMatchObject({ filledShares: half });
    expect(await disagreements(maker)).toEqual([]);
  });

  it("a trade that the list leaves out is asked for by the id that its order names", async () => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await insidePrice();
    const size = shares(20_000_000n);
    const orderId = await placed(maker, { ...RESTING, price: at, shares: size });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: size };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    // A look reads the list first.
    failRequests(venue, "GET", "/clob/data/trades", answerEmpty, 1);
    await hurry(maker.userId);
    expect(await getOrder(maker.live, orderId)).toMatchObject({ status: "filled" });
    heal();
    await converge(taker);
    expect([...(await disagreements(maker)), ...(await disagreements(taker))]).toEqual([]);
  });

  it("a trade whose settlement fails is taken back, once", async () => {
    const user = await makeLiveUser();
    const orderId = await placed(user, MARKET_BUY);
    const [bought] = await fillsOf(user);
    if (!bought) throw new Error("a market buy fills");
    tellTradesAs("TRADE_STATUS_FAILED");
    await converge(user);
    await converge(user);
    heal();
    const order = await getOrder(user.live, orderId);
    expect(order).toMatchObject({ status: "canceled", filledShares: 0n, fee: 0n, fills: [] });
    const reversals = order.events.filter(({ type }) => type === "reversed");
    expect(reversals).toHaveLength((await fillsOf(user)).length);
    expect((await compare(user))[0]).toMatchObject({ ours: { held: 0n, filled: 0n } });
  });

  it("a trade that was confirmed stays, whatever is said of it later", async () => {
    const user = await makeLiveUser();
    const orderId = await placed(user, MARKET_BUY);
    onTestFinished(setClock(() => Date.now() + 30_000));
    await converge(user);
    expect(await selectOpenSettlements(await getDb(), user.userId)).toEqual([]);
    const before = await getOrder(user.live, orderId);
    expect(before.fills.length).toBeGreaterThan(0);
    tellTradesAs("TRADE_STATUS_FAILED");
    await hurry(user.userId);
    heal();
    expect(await getOrder(user.live, orderId)).toEqual(before);
    expect(await disagreements(user)).toEqual([]);
  });

  it("a trade that was mined is not merely matched again, whatever is said of it later", async () => {
    const user = await makeLiveUser();
    await placed(user, MARKET_BUY);
    const statuses = async () => {
      const rows = await (await getDb()).select().from(fillSettlements);
      const own = rows.filter(({ userId }) => userId === user.userId);
      return new Set(own.map(({ status }) => status));
    };
    for (const status of ["TRADE_STATUS_MINED", "TRADE_STATUS_MATCHED"]) {
      tellTradesAs(status);
      await hurry(user.userId);
      heal();
      expect(await statuses()).toEqual(new Set(["mined"]));
    }
  });

  it("a list whose cursor comes back changes nothing, and the next look mends it", async () => {
    const user = await makeLiveUser();
    await placed(user, RESTING);
    const before = await compare(user);
    failRequests(venue, "GET", "/clob/data/orders", async (_, { send: answer }) =>
      answer(Response.json({ limit: 1, count: 0, next_cursor: "MA==", data: [] })),
    );
    await converge(user, 3);
    expect(await compare(user)).toEqual(before);
    heal();
    await converge(user);
    expect(await disagreements(user)).toEqual([]);
  });

  it.each([
    ["null", () => Response.json(null)],
    ["nothing", () => new Response("", { status: 200 })],
    ["404", () => Response.json({ error: "not found" }, { status: 404 })],
    ["another order", () => Response.json({ id: `0x${"cd".repeat(32)}`, status: "CANCELED" })],
    ["an unknown status", () => Response.json({ id: "0x", status: "NEW" })],
  ])("an open order that the venue answers with %s for stays open", async (_, answerOf) => {
    const user = await makeLiveUser();
    const orderId = await placed(user, RESTING);
    failRequests(venue, "GET", /^\/clob\/data\/orders?/, async (handle, { send: answer }) => {
      const response = await handle();
      const text = await response.clone().text();
      const isList = text.includes("next_cursor");
      await answer(isList ? Response.json({ ...JSON.parse(text), data: [] }) : answerOf());
    });
    await converge(user, 2);
    heal();
    expect(await getOrder(user.live, orderId)).toMatchObject({ status: "open" });
    await converge(user);
    expect(await disagreements(user)).toEqual([]);
  });
});
