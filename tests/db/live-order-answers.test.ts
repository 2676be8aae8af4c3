import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { idempotencyKeys } from "@/lib/db/schema/trading";
import { env } from "@/lib/env";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { getOrder } from "@/lib/orders/get-order";
import { type Placement, placeOrder } from "@/lib/orders/place-order";
import { previewOrder } from "@/lib/orders/preview-order";
import { formatMicro, notional, ONE, type Price, price, shares } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  findPriceInside,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import {
  toFailure,
  type LiveUser,
  makeLiveUser,
  type Order,
  useLiveVenue,
} from "@/tests/support/live/venue";
import type { Fault, VenueCall } from "@/tests/support/live/fault-server";
import { sendEmptyPage, failRequests } from "@/tests/support/live/faults";
import {
  compareOrders,
  reconcileUntilSettled,
  findDisagreements,
} from "@/tests/support/live/compare-with-venue";

// The clock and so the house's quotes stand still, and an order is posted at most once.
const venue = await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "1" });
useFreshDatabase();
const clock = useTestClock();

const TEN = shares(10_000_000n);
const TWENTY = shares(20_000_000n);
const THIRTY = shares(30_000_000n);

let market: PaperMarket;
/** A price inside the spread without any orders. */
let inside: Price;

beforeEach(() => {
  venue.fault = () => null;
  market = freshMarket();
  inside = findPriceInside(market)(0);
});

const exact = (): Order => ({
  action: "BUY",
  orderType: "market",
  shares: THIRTY,
  price: inside,
});

async function place(
  user: LiveUser,
  order: Order,
  { key = "key", outcome = 0 }: { key?: string; outcome?: 0 | 1 } = {},
): Promise<Placement> {
  const tokenId = getToken(market, outcome);
  return placeOrder(user.live, { ...order, tokenId, idempotencyKey: key });
}

/** Places a sell of twenty shares at the inside price. */
async function sellTwenty(): Promise<void> {
  const order: Order = { action: "BUY", orderType: "limit", price: price(ONE - inside) };
  await place(await makeLiveUser(), { ...order, shares: TWENTY }, { outcome: 1 });
}

/** Adds a seller to the venue's book who is gone when the order arrives. */
const showSeller: Fault = async (handle, { send }) => {
  const book = (await (await handle()).json()) as Record<string, unknown>;
  const asks = [{ price: formatMicro(inside), size: "1000" }];
  await send(Response.json({ ...book, asks }));
};

/** Lets the venue return neither orders nor trades of a user. */
const hideOrdersOf =
  (user: LiveUser) =>
  ({ path, owner }: VenueCall): Fault | null => {
    if (owner !== user.owner.toLowerCase()) return null;
    if (path.startsWith("/clob/data/order/"))
      return async (_, { send }) => send(Response.json(null));
    return path === "/clob/data/trades" ? sendEmptyPage : null;
  };

const answered = ({ answer }: Placement) => ({
  status: answer.status,
  ...(JSON.parse(answer.body) as {
    data?: { status: string; message: string };
    error?: { code: string; message: string };
  }),
});

/** Counts posts or cancels. */
const wishes = () => venue.calls.filter(({ path }) => path === "/clob/order").length;
const posts = () =>
  venue.calls.filter(({ method, path }) => method === "POST" && path === "/clob/order").length;

describe("a market order that the book cannot fill", () => {
  it("is recorded without being sent, and its key always returns the same rejection", async () => {
    const user = await makeLiveUser();
    const [before, sent] = [await compareOrders(user), wishes()];
    const first = await place(user, exact());
    expect(answered(first)).toMatchObject({ status: 400, error: { code: "NO_LIQUIDITY" } });
    expect(wishes()).toBe(sent);
    expect(await compareOrders(user)).toEqual(before);
    const record = await getOrder(user.live, first.orderId);
    expect(record).toMatchObject({ status: "rejected", filledShares: 0n, fills: [] });
    expect(record.events.map(({ type }) => type)).toEqual(["received", "rejected"]);
    const again = await place(user, exact());
    expect(again).toEqual({ ...first, isReplay: true });
    await expect(place(user, { ...exact(), shares: TEN })).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("returns the same message as its preview", async () => {
    const user = await makeLiveUser();
    const { refusal } = await previewOrder(user.live, { ...exact(), tokenId: getToken(market, 0) });
    expect(answered(await place(user, exact())).error).toEqual(refusal);
  });

  it("cannot be canceled and sends no cancel to the venue", async () => {
    const user = await makeLiveUser();
    const { orderId } = await place(user, exact());
    const sent = wishes();
    const failure = await cancelOrder(user.live, orderId).catch(toFailure);
    expect(failure).toMatchObject({ code: "ORDER_NOT_CANCELABLE" });
    expect(wishes()).toBe(sent);
  });

  it("does not use up its key while the book cannot be read", async () => {
    const user = await makeLiveUser();
    await sellTwenty();
    failRequests(venue, "GET", "/clob/book", async (_, { drop }) => drop());
    const failure = await place(user, exact()).catch(toFailure);
    expect(failure).toMatchObject({ status: 502 });
    expect(await compareOrders(user)).toEqual([]);
    venue.fault = () => null;
    expect(answered(await place(user, exact())).status).toBe(200);
  });
});

describe("a market buy of exact shares", () => {
  it("that fills in part returns what it bought, not an open order", async () => {
    const user = await makeLiveUser();
    await sellTwenty();
    const placed = await place(user, exact());
    expect(answered(placed).data).toMatchObject({
      status: "canceled",
      message: "Order partly filled: bought 20 shares. The rest was canceled.",
    });
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({
      status: "canceled",
      filledShares: TWENTY,
    });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("that finds no seller on arrival is rejected and leaves nothing open", async () => {
    const user = await makeLiveUser();
    failRequests(venue, "GET", "/clob/book", showSeller);
    const placed = await place(user, exact());
    expect(answered(placed)).toMatchObject({ status: 400, error: { code: "NO_LIQUIDITY" } });
    expect((await compareOrders(user))[0]).toMatchObject({
      ours: { status: "canceled", held: 0n, filled: 0n },
      venue: { status: "canceled", filled: 0n },
    });
    expect(await place(user, exact())).toEqual({ ...placed, isReplay: true });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("that traded unseen just before its cancel does not report that nothing was filled", async () => {
    const user = await makeLiveUser();
    venue.fault = ({ method, path }) => {
      if (path === "/clob/book") return showSeller;
      if (method !== "DELETE") return null;
      return async (handle, { send }) => {
        venue.fault = hideOrdersOf(user);
        await sellTwenty();
        await send(await handle());
      };
    };
    const placed = await place(user, exact());
    expect(answered(placed).data).toMatchObject({ status: "open" });
    expect((await compareOrders(user))[0]).toMatchObject({
      ours: { status: "open", filled: 0n },
      venue: { status: "canceled", filled: TWENTY },
    });
    await reconcileUntilSettled(user, 3);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({ status: "open" });
    venue.fault = () => null;
    await reconcileUntilSettled(user);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({
      status: "canceled",
      filledShares: TWENTY,
    });
    expect(await place(user, exact())).toEqual({ ...placed, isReplay: true });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("that is canceled but never returned ends once its trades had time to be listed", async () => {
    const user = await makeLiveUser();
    const hide = hideOrdersOf(user);
    venue.fault = (call) => (call.path === "/clob/book" ? showSeller : hide(call));
    const placed = await place(user, exact());
    expect(answered(placed).data).toMatchObject({ status: "open" });
    await reconcileUntilSettled(user, 5);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({ status: "open" });
    clock.advance(env().ABANDON_AFTER_MS);
    await reconcileUntilSettled(user);
    expect((await compareOrders(user))[0]?.ours).toEqual({
      status: "canceled",
      filled: 0n,
      held: 0n,
    });
    expect(await place(user, exact())).toEqual({ ...placed, isReplay: true });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("whose remainder cannot be canceled yet returns its fills so far and ends later", async () => {
    const user = await makeLiveUser();
    await sellTwenty();
    failRequests(venue, "DELETE", "/clob/order", async (_, { drop }) => drop());
    const placed = await place(user, exact());
    expect(answered(placed).data).toMatchObject({ status: "open" });
    venue.fault = () => null;
    await reconcileUntilSettled(user);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({ status: "canceled" });
    expect(await place(user, exact())).toEqual({ ...placed, isReplay: true });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("whose sender died before the response returns it to a repeated request", async () => {
    const user = await makeLiveUser();
    await sellTwenty();
    failRequests(venue, "DELETE", "/clob/order", async (_, { drop }) => drop());
    const { orderId } = await place(user, exact());
    venue.fault = () => null;
    const db = await getDb();
    await db
      .update(idempotencyKeys)
      .set({ status: null, body: null })
      .where(eq(idempotencyKeys.orderId, orderId));
    const sent = posts();
    const again = await place(user, exact());
    expect(again).toMatchObject({ orderId, isReplay: true });
    expect(answered(again).data).toMatchObject({ status: "canceled" });
    expect(posts()).toBe(sent);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("that the venue delays is not canceled before it matches", async () => {
    const user = await makeLiveUser();
    await sellTwenty();
    let match = async () => {};
    venue.fault = ({ method, path }) => {
      if (method === "POST" && path === "/clob/order") {
        return async (handle, { send }) => {
          match = async () => void (await handle());
          const [order] = await compareOrders(user);
          const waiting = { status: "delayed", makingAmount: "", takingAmount: "" };
          await send(Response.json({ success: true, orderID: order?.venueOrderId, ...waiting }));
        };
      }
      const id = /^\/clob\/data\/order\/(.+)$/.exec(path)?.[1];
      if (id === undefined) return null;
      return async (_, { send }) =>
        send(Response.json({ id, status: "ORDER_STATUS_DELAYED", size_matched: "0" }));
    };
    const placed = await place(user, exact());
    expect(answered(placed).data).toMatchObject({ status: "delayed" });
    const asked = wishes();
    await reconcileUntilSettled(user, 3);
    expect(wishes()).toBe(asked);
    await match();
    venue.fault = () => null;
    await reconcileUntilSettled(user);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({
      status: "canceled",
      filledShares: TWENTY,
    });
    expect(await findDisagreements(user)).toEqual([]);
  });
});

it("a partly filled open limit order reserves only the cost of its remainder", async () => {
  const user = await makeLiveUser();
  await sellTwenty();
  const { orderId } = await place(user, { ...exact(), orderType: "limit" });
  const [compared] = await compareOrders(user);
  expect(compared?.ours).toMatchObject({ status: "open", held: notional(TEN, inside, "up") });
  await reconcileUntilSettled(user);
  expect((await compareOrders(user))[0]).toEqual(compared);
  expect(await cancelOrder(user.live, orderId)).toMatchObject({ filledShares: TWENTY });
  expect(await findDisagreements(user)).toEqual([]);
});
