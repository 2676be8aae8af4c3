import { computeAddress } from "ethers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { fillSettlements } from "@/lib/db/schema/remote-orders";
import { selectOpenSettlements } from "@/lib/db/queries/remote-orders";
import { importLiveWallet, removeLiveWallet } from "@/lib/accounts/change-live-wallet";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { getOrder } from "@/lib/orders/get-order";
import { OrderChange } from "@/lib/orders/live/order-change";
import { reconcileNow, findUnsettledUsers } from "@/lib/orders/live/reconcile-leases";
import { requireTrader } from "@/lib/accounts/require-trader";
import { ONE, price, shares } from "@/lib/units";
import type { Fault, VenueCall } from "@/tests/support/live/fault-server";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  toFailure,
  findInsidePrice,
  type LiveUser,
  makeLiveUser,
  MARKET_BUY,
  type Order,
  RESTING,
  send,
  STANDING_MARKET,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { sendEmptyPage, failRequests, DELIVERED, NOT_DELIVERED } from "@/tests/support/live/faults";
import {
  compareOrders,
  reconcileUntilSettled,
  findDisagreements,
  selectFills,
} from "@/tests/support/live/compare-with-venue";

/** Longer than usual, because most of these orders must succeed on a busy machine. */
const venue = await useLiveVenue({
  SUBMIT_ATTEMPT_TIMEOUT_MS: "4000",
  SUBMIT_BUDGET_MS: "5000",
  ...STANDING_MARKET,
});
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
    return toFailure(error);
  }
}

/** Lets the venue return neither orders nor trades. */
const hideOrders = ({ method, path }: VenueCall): Fault | null => {
  if (method === "GET" && /^\/clob\/data\/(orders|trades)$/.test(path)) return sendEmptyPage;
  if (!path.startsWith("/clob/data/order/")) return null;
  return async (_, { send: answer }) => answer(Response.json(null));
};

/** Sets the status of every trade that the venue lists from now on. */
function tellTradesAs(status: string): void {
  failRequests(venue, "GET", "/clob/data/trades", async (handle, { send: answer }) => {
    const page = (await (await handle()).json()) as { data: Record<string, unknown>[] };
    await answer(Response.json({ ...page, data: page.data.map((one) => ({ ...one, status })) }));
  });
}

it("concurrent first requests of a wallet all succeed", async () => {
  const user = await makeLiveUser();
  const traders = await Promise.all(Array.from({ length: 8 }, () => requireTrader(user.userId)));
  const [first] = traders;
  expect(first?.credentials?.key).toBeTruthy();
  for (const { credentials } of traders) expect(credentials).toEqual(first?.credentials);
});

it("credentials that the venue no longer accepts are requested again", async () => {
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
  await reconcileNow(user.userId);
  expect(await getOrder(user.live, orderId)).toMatchObject({ status: "open" });
  await reconcileUntilSettled(user);
  expect(isRenewed).toBe(true);
  expect(await getOrder(user.live, orderId)).toMatchObject({ status: "canceled" });
  expect(await findDisagreements(user)).toEqual([]);
});

describe("a cancel of a live order", () => {
  it("cancels it at the venue, releases its hold and can be repeated", async () => {
    const user = await makeLiveUser();
    const orderId = await placed(user, RESTING);
    expect(await cancel(user, orderId)).toMatchObject({ order: { status: "canceled" } });
    expect(await cancel(user, orderId)).toMatchObject({ order: { status: "canceled" } });
    expect((await compareOrders(user))[0]).toMatchObject({
      ours: { status: "canceled", held: 0n },
      venue: { status: "canceled" },
    });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it.each(Object.entries({ ...DELIVERED, ...NOT_DELIVERED }))(
    "has a known outcome in the end when %s",
    async (_, fault) => {
      const user = await makeLiveUser();
      const orderId = await placed(user, RESTING);
      failRequests(venue, "DELETE", "/clob/order", fault, 1);
      const first = await cancel(user, orderId);
      heal();
      if (first.status !== 200) expect(first).toMatchObject({ code: "CANCEL_OUTCOME_UNKNOWN" });
      await reconcileUntilSettled(user);
      expect((await compareOrders(user))[0]).toMatchObject({
        ours: { status: "canceled", held: 0n },
        venue: { status: "canceled" },
      });
      expect(await cancel(user, orderId)).toMatchObject({ status: 200 });
      expect(await findDisagreements(user)).toEqual([]);
    },
  );

  it("after the fill reports the fill and changes nothing", async () => {
    const user = await makeLiveUser();
    const orderId = await placed(user, MARKET_BUY);
    const before = await compareOrders(user);
    expect(await cancel(user, orderId)).toMatchObject({ code: "ORDER_NOT_CANCELABLE" });
    expect(await compareOrders(user)).toEqual(before);
  });

  it("of another user's order returns not found and changes nothing", async () => {
    const [owner, other] = [await makeLiveUser(), await makeLiveUser()];
    const orderId = await placed(owner, RESTING);
    const before = await compareOrders(owner);
    expect(await cancel(other, orderId)).toMatchObject({ status: 404 });
    expect(await compareOrders(owner)).toEqual(before);
  });

  it("of all orders of one user leaves another user's orders open", async () => {
    const [owner, other] = [await makeLiveUser(), await makeLiveUser()];
    const orderId = await placed(owner, RESTING);
    const own = await placed(other, RESTING);
    const before = await compareOrders(owner);
    const { canceled, notCanceled } = await cancelOrders(other.live);
    // A slow venue may leave it open for the moment.
    expect([...canceled, ...notCanceled.map(({ id }) => id)]).toEqual([own]);
    await reconcileUntilSettled(other);
    expect(await getOrder(other.live, own)).toMatchObject({ status: "canceled" });
    expect(await compareOrders(owner)).toEqual(before);
    expect(await getOrder(owner.live, orderId)).toMatchObject({ status: "open" });
  });

  it("of all orders includes the order whose outcome is unknown", async () => {
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
    const [order] = await compareOrders(user);
    expect(order).toMatchObject({ ours: { status: "unknown" }, venue: { status: "open" } });
    expect(await cancelOrders(user.live)).toMatchObject({ canceled: [expect.any(String)] });
    expect((await compareOrders(user))[0]?.venue).toMatchObject({ status: "canceled" });
    expect(await findDisagreements(user)).toEqual([]);
  });
});

describe("a reconciliation", () => {
  it("finds an open order filled, with its fills", async () => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await findInsidePrice();
    const size = shares(20_000_000n);
    const orderId = await placed(maker, { ...RESTING, price: at, shares: size });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: size };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    await reconcileUntilSettled(maker);
    const order = await getOrder(maker.live, orderId);
    expect(order).toMatchObject({ status: "filled", filledShares: size });
    expect(order.fills.every(({ role }) => role === "maker")).toBe(true);
    await reconcileUntilSettled(taker);
    expect([...(await findDisagreements(maker)), ...(await findDisagreements(taker))]).toEqual([]);
  });

  it("finds a filled order that the venue does not return and cannot cancel", async () => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await findInsidePrice();
    const size = shares(20_000_000n);
    const orderId = await placed(maker, { ...RESTING, price: at, shares: size });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: size };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    const asked = venue.calls.length;
    const cancels = () =>
      venue.calls.slice(asked).filter(({ method }) => method === "DELETE").length;
    // The venue forgets the order at once, and lists its trades only after another cancel.
    venue.fault = ({ method, path }) => {
      const isTrades = path === "/clob/data/trades" && cancels() < 2;
      if (method === "GET" && (isTrades || path === "/clob/data/orders")) return sendEmptyPage;
      if (!path.startsWith("/clob/data/order/")) return null;
      return async (_, { send: answer }) => answer(Response.json(null));
    };
    const statuses = new Set<string>();
    const readState = async () => {
      await reconcileNow(maker.userId);
      const { status } = await getOrder(maker.live, orderId);
      statuses.add(status);
      return status;
    };
    await expect.poll(readState, { timeout: 20_000 }).toBe("filled");
    heal();
    expect([...statuses]).toEqual(["open", "filled"]);
    expect((await compareOrders(maker))[0]).toMatchObject({ ours: { held: 0n, filled: size } });
    await reconcileUntilSettled(taker);
    expect([...(await findDisagreements(maker)), ...(await findDisagreements(taker))]).toEqual([]);
  });

  it("records a trade that is listed after its order was canceled", async () => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await findInsidePrice();
    const [all, half] = [shares(20_000_000n), shares(10_000_000n)];
    const orderId = await placed(maker, { ...RESTING, price: at, shares: all });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: half };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    const tradedAt = Date.now();
    venue.fault = hideOrders;
    expect(await cancel(maker, orderId)).toMatchObject({ order: { filledShares: 0n } });
    // The venue dates trades in whole seconds, so after two seconds this one is in the past.
    await expect.poll(() => Date.now() - tradedAt, { timeout: 5_000 }).toBeGreaterThan(2_000);
    await reconcileNow(maker.userId);
    heal();
    await reconcileNow(maker.userId);
    expect((await compareOrders(maker))[0]).toMatchObject({
      ours: { status: "canceled", held: 0n, filled: half },
      venue: { status: "canceled", filled: half },
    });
    expect(await findDisagreements(maker)).toEqual([]);
  });

  it("skips an account whose wallet was removed", async () => {
    const user = await makeLiveUser();
    await placed(user, MARKET_BUY);
    expect(await findUnsettledUsers()).toContain(user.userId);
    await expect(removeLiveWallet(user.userId)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("still settling"),
    });
    const privateKey = `0x${"11".repeat(32)}`;
    const funder = computeAddress(privateKey);
    await expect(
      importLiveWallet(user.userId, { privateKey, funder, signatureType: "0" }),
    ).rejects.toMatchObject({ message: expect.stringContaining("still settling") });
    onTestFinished(setClock(() => Date.now() + 30_000));
    await reconcileNow(user.userId);
    await removeLiveWallet(user.userId);
    expect(await findUnsettledUsers()).not.toContain(user.userId);
  });

  it.each([
    ["looks for trades since the first order at the account's first reconciliation", false],
    ["reads a trade again after it failed to record it", true],
  ])("%s", async (_name, isBroken) => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await findInsidePrice();
    const half = shares(10_000_000n);
    const orderId = await placed(maker, { ...RESTING, price: at, shares: shares(20_000_000n) });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: half };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    venue.fault = hideOrders;
    expect(await cancel(maker, orderId)).toMatchObject({ order: { filledShares: 0n } });
    heal();
    onTestFinished(setClock(() => Date.now() + 600_000));
    if (isBroken) {
      vi.spyOn(OrderChange, "lock").mockRejectedValueOnce(new Error("the row is locked"));
      await reconcileNow(maker.userId);
      expect(await getOrder(maker.live, orderId)).toMatchObject({ filledShares: 0n });
    }
    await placed(maker, RESTING, "later");
    await reconcileNow(maker.userId);
    expect(await getOrder(maker.live, orderId)).toMatchObject({ filledShares: half });
    expect(await findDisagreements(maker)).toEqual([]);
  });

  it("reads a trade by the id that its order names if the list lacks it", async () => {
    const [maker, taker] = [await makeLiveUser(), await makeLiveUser()];
    const at = await findInsidePrice();
    const size = shares(20_000_000n);
    const orderId = await placed(maker, { ...RESTING, price: at, shares: size });
    const against: Order = { ...RESTING, price: price(ONE - at), shares: size };
    expect(await send(taker, against, "other", 1)).toMatchObject({ status: 200 });
    // A poll reads the list first.
    failRequests(venue, "GET", "/clob/data/trades", sendEmptyPage, 1);
    await reconcileNow(maker.userId);
    expect(await getOrder(maker.live, orderId)).toMatchObject({ status: "filled" });
    heal();
    await reconcileUntilSettled(taker);
    expect([...(await findDisagreements(maker)), ...(await findDisagreements(taker))]).toEqual([]);
  });

  it("reverses a trade whose settlement fails, once", async () => {
    const user = await makeLiveUser();
    const orderId = await placed(user, MARKET_BUY);
    const [bought] = await selectFills(user);
    if (!bought) throw new Error("a market buy fills");
    tellTradesAs("TRADE_STATUS_FAILED");
    await reconcileUntilSettled(user);
    await reconcileUntilSettled(user);
    heal();
    const order = await getOrder(user.live, orderId);
    expect(order).toMatchObject({ status: "canceled", filledShares: 0n, fee: 0n, fills: [] });
    const reversals = order.events.filter(({ type }) => type === "reversed");
    expect(reversals).toHaveLength((await selectFills(user)).length);
    expect((await compareOrders(user))[0]).toMatchObject({ ours: { held: 0n, filled: 0n } });
  });

  it("keeps a confirmed trade, whatever status follows", async () => {
    const user = await makeLiveUser();
    const orderId = await placed(user, MARKET_BUY);
    onTestFinished(setClock(() => Date.now() + 30_000));
    await reconcileUntilSettled(user);
    expect(await selectOpenSettlements(await getDb(), user.userId)).toEqual([]);
    const before = await getOrder(user.live, orderId);
    expect(before.fills.length).toBeGreaterThan(0);
    tellTradesAs("TRADE_STATUS_FAILED");
    await reconcileNow(user.userId);
    heal();
    expect(await getOrder(user.live, orderId)).toEqual(before);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("does not move a mined trade back to matched", async () => {
    const user = await makeLiveUser();
    await placed(user, MARKET_BUY);
    const statuses = async () => {
      const rows = await (await getDb()).select().from(fillSettlements);
      const own = rows.filter(({ userId }) => userId === user.userId);
      return new Set(own.map(({ status }) => status));
    };
    for (const status of ["TRADE_STATUS_MINED", "TRADE_STATUS_MATCHED"]) {
      tellTradesAs(status);
      await reconcileNow(user.userId);
      heal();
      expect(await statuses()).toEqual(new Set(["mined"]));
    }
  });

  it("changes nothing on a list with a repeated cursor and succeeds at the next poll", async () => {
    const user = await makeLiveUser();
    await placed(user, RESTING);
    const before = await compareOrders(user);
    failRequests(venue, "GET", "/clob/data/orders", async (_, { send: answer }) =>
      answer(Response.json({ limit: 1, count: 0, next_cursor: "MA==", data: [] })),
    );
    await reconcileUntilSettled(user, 3);
    expect(await compareOrders(user)).toEqual(before);
    heal();
    await reconcileUntilSettled(user);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it.each([
    ["null", () => Response.json(null)],
    ["nothing", () => new Response("", { status: 200 })],
    ["404", () => Response.json({ error: "not found" }, { status: 404 })],
    ["another order", () => Response.json({ id: `0x${"cd".repeat(32)}`, status: "CANCELED" })],
    ["an unknown status", () => Response.json({ id: "0x", status: "NEW" })],
  ])("keeps an open order open if the venue returns %s for it", async (_, buildAnswer) => {
    const user = await makeLiveUser();
    const orderId = await placed(user, RESTING);
    failRequests(venue, "GET", /^\/clob\/data\/orders?/, async (handle, { send: answer }) => {
      const response = await handle();
      const text = await response.clone().text();
      const isList = text.includes("next_cursor");
      await answer(isList ? Response.json({ ...JSON.parse(text), data: [] }) : buildAnswer());
    });
    await reconcileUntilSettled(user, 2);
    heal();
    expect(await getOrder(user.live, orderId)).toMatchObject({ status: "open" });
    await reconcileUntilSettled(user);
    expect(await findDisagreements(user)).toEqual([]);
  });
});
