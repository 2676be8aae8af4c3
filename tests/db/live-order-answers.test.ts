import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { idempotencyKeys } from "@/lib/db/schema/trading";
import { env } from "@/lib/env";
import { cancelOrder } from "@/lib/services/orders/cancel-order";
import { getOrder } from "@/lib/services/orders/get-order";
import { type Placement, placeOrder } from "@/lib/services/orders/place-order";
import { previewOrder } from "@/lib/services/orders/preview-order";
import { formatMicro, notional, ONE, type Price, price, shares } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { useFreshDatabase } from "@/tests/support/database";
import { freshMarket, insideOf, tokenOf, useTestClock } from "@/tests/support/exchange";
import {
  failureOf,
  type LiveUser,
  makeLiveUser,
  type Order,
  useLiveVenue,
} from "@/tests/support/live";
import type { Fault, VenueCall } from "@/tests/support/fault-server";
import { answerEmpty, failRequests } from "@/tests/support/live-faults";
import { compare, converge, disagreements } from "@/tests/support/live-truth";

// The clock stands still, and with it the house's quotes; an order gets one attempt.
const venue = await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "1" });
useFreshDatabase();
const clock = useTestClock();

const TEN = shares(10_000_000n);
const TWENTY = shares(20_000_000n);
const THIRTY = shares(30_000_000n);

let market: PaperMarket;
/** A price inside the spread, where nobody stands. */
let inside: Price;

beforeEach(() => {
  venue.fault = () => null;
  market = freshMarket();
  inside = insideOf(market)(0);
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
  const tokenId = tokenOf(market, outcome);
  return placeOrder(user.live, { ...order, tokenId, idempotencyKey: key });
}

/** Somebody who sells twenty shares at the inside price. */
async function sellTwenty(): Promise<void> {
  const order: Order = { action: "BUY", orderType: "limit", price: price(ONE - inside) };
  await place(await makeLiveUser(), { ...order, shares: TWENTY }, { outcome: 1 });
}

/** The venue shows a seller who is gone by the time the order comes. */
const showSeller: Fault = async (handle, { send }) => {
  const book = (await (await handle()).json()) as Record<string, unknown>;
  const asks = [{ price: formatMicro(inside), size: "1000" }];
  await send(Response.json({ ...book, asks }));
};

/** The venue shows neither an order nor a trade of a user. */
const hideOrdersOf =
  (user: LiveUser) =>
  ({ path, owner }: VenueCall): Fault | null => {
    if (owner !== user.owner.toLowerCase()) return null;
    if (path.startsWith("/clob/data/order/"))
      return async (_, { send }) => send(Response.json(null));
    return path === "/clob/data/trades" ? answerEmpty : null;
  };

const answered = ({ answer }: Placement) => ({
  status: answer.status,
  ...(JSON.parse(answer.body) as {
    data?: { status: string; message: string };
    error?: { code: string; message: string };
  }),
});

/** How often an order was posted or a cancel asked for. */
const wishes = () => venue.calls.filter(({ path }) => path === "/clob/order").length;
const posts = () =>
  venue.calls.filter(({ method, path }) => method === "POST" && path === "/clob/order").length;

describe("a market order that the book refuses", () => {
  it("is not sent, is kept on record, and its key gives the same refusal for ever", async () => {
    const user = await makeLiveUser();
    const [before, sent] = [await compare(user), wishes()];
    const first = await place(user, exact());
    expect(answered(first)).toMatchObject({ status: 400, error: { code: "NO_LIQUIDITY" } });
    expect(wishes()).toBe(sent);
    expect(await compare(user)).toEqual(before);
    const record = await getOrder(user.live, first.orderId);
    expect(record).toMatchObject({ status: "rejected", filledShares: 0n, fills: [] });
    expect(record.events.map(({ type }) => type)).toEqual(["received", "rejected"]);
    const again = await place(user, exact());
    expect(again).toEqual({ ...first, isReplay: true });
    await expect(place(user, { ...exact(), shares: TEN })).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect(await disagreements(user)).toEqual([]);
  });

  it("says what its preview says", async () => {
    const user = await makeLiveUser();
    const { refusal } = await previewOrder(user.live, { ...exact(), tokenId: tokenOf(market, 0) });
    expect(answered(await place(user, exact())).error).toEqual(refusal);
  });

  it("cannot be canceled, and asking the venue is not even tried", async () => {
    const user = await makeLiveUser();
    const { orderId } = await place(user, exact());
    const sent = wishes();
    const failure = await cancelOrder(user.live, orderId).catch(failureOf);
    expect(failure).toMatchObject({ code: "ORDER_NOT_CANCELABLE" });
    expect(wishes()).toBe(sent);
  });

  it("leaves its key free while the book cannot be read", async () => {
    const user = await makeLiveUser();
    await sellTwenty();
    failRequests(venue, "GET", "/clob/book", async (_, { drop }) => drop());
    const failure = await place(user, exact()).catch(failureOf);
    expect(failure).toMatchObject({ status: 502 });
    expect(await compare(user)).toEqual([]);
    venue.fault = () => null;
    expect(answered(await place(user, exact())).status).toBe(200);
  });
});

describe("a market buy of exact shares", () => {
  it("that fills in part is answered with what it bought, not as standing", async () => {
    const user = await makeLiveUser();
    await sellTwenty();
    const placed = await place(user, exact());
    expect(answered(placed).data).toMatchObject({
      status: "canceled",
      message: "Order partly filled: bought 20 shares; nobody took the rest, which was dropped.",
    });
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({
      status: "canceled",
      filledShares: TWENTY,
    });
    expect(await disagreements(user)).toEqual([]);
  });

  it("that finds nobody any more when it arrives is refused, and nothing of it stays", async () => {
    const user = await makeLiveUser();
    failRequests(venue, "GET", "/clob/book", showSeller);
    const placed = await place(user, exact());
    expect(answered(placed)).toMatchObject({ status: 400, error: { code: "NO_LIQUIDITY" } });
    expect((await compare(user))[0]).toMatchObject({
      ours: { status: "canceled", held: 0n, filled: 0n },
      venue: { status: "canceled", filled: 0n },
    });
    expect(await place(user, exact())).toEqual({ ...placed, isReplay: true });
    expect(await disagreements(user)).toEqual([]);
  });

  it("that traded right before its cancel, unseen, is not told that nothing was filled", async () => {
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
    expect((await compare(user))[0]).toMatchObject({
      ours: { status: "open", filled: 0n },
      venue: { status: "canceled", filled: TWENTY },
    });
    await converge(user, 3);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({ status: "open" });
    venue.fault = () => null;
    await converge(user);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({
      status: "canceled",
      filledShares: TWENTY,
    });
    expect(await place(user, exact())).toEqual({ ...placed, isReplay: true });
    expect(await disagreements(user)).toEqual([]);
  });

  it("that is canceled, and never shown, ends once its trades would have been listed", async () => {
    const user = await makeLiveUser();
    const hide = hideOrdersOf(user);
    venue.fault = (call) => (call.path === "/clob/book" ? showSeller : hide(call));
    const placed = await place(user, exact());
    expect(answered(placed).data).toMatchObject({ status: "open" });
    await converge(user, 5);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({ status: "open" });
    clock.advance(env().ABANDON_AFTER_MS);
    await converge(user);
    expect((await compare(user))[0]?.ours).toEqual({ status: "canceled", filled: 0n, held: 0n });
    expect(await place(user, exact())).toEqual({ ...placed, isReplay: true });
    expect(await disagreements(user)).toEqual([]);
  });

  it("whose rest cannot be canceled yet is answered as it stands, and ends later", async () => {
    const user = await makeLiveUser();
    await sellTwenty();
    failRequests(venue, "DELETE", "/clob/order", async (_, { drop }) => drop());
    const placed = await place(user, exact());
    expect(answered(placed).data).toMatchObject({ status: "open" });
    venue.fault = () => null;
    await converge(user);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({ status: "canceled" });
    expect(await place(user, exact())).toEqual({ ...placed, isReplay: true });
    expect(await disagreements(user)).toEqual([]);
  });

  it("whose sender died before it was answered is answered by whoever asks again", async () => {
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
    expect(await disagreements(user)).toEqual([]);
  });

  it("that the venue delays is not canceled before it has matched", async () => {
    const user = await makeLiveUser();
    await sellTwenty();
    let match = async () => {};
    venue.fault = ({ method, path }) => {
      if (method === "POST" && path === "/clob/order") {
        return async (handle, { send }) => {
          match = async () => void (await handle());
          const [order] = await compare(user);
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
    await converge(user, 3);
    expect(wishes()).toBe(asked);
    await match();
    venue.fault = () => null;
    await converge(user);
    expect(await getOrder(user.live, placed.orderId)).toMatchObject({
      status: "canceled",
      filledShares: TWENTY,
    });
    expect(await disagreements(user)).toEqual([]);
  });
});

it("a limit order that rests after filling in part reserves the cost of its rest alone", async () => {
  const user = await makeLiveUser();
  await sellTwenty();
  const { orderId } = await place(user, { ...exact(), orderType: "limit" });
  const [compared] = await compare(user);
  expect(compared?.ours).toMatchObject({ status: "open", held: notional(TEN, inside, "up") });
  await converge(user);
  expect((await compare(user))[0]).toEqual(compared);
  expect(await cancelOrder(user.live, orderId)).toMatchObject({ filledShares: TWENTY });
  expect(await disagreements(user)).toEqual([]);
});
