import { beforeEach, describe, expect, it } from "vitest";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectRemoteOrder } from "@/lib/db/queries/remote-orders";
import { NO_CAUSE } from "@/lib/ledger/account-log";
import { recordOrderEvents } from "@/lib/db/queries/order-events";
import { OPERATIONS } from "@/lib/api/operations";
import { successBody } from "@/lib/schemas/envelope";
import { createKey } from "@/lib/auth/create-key";
import { setClock } from "@/lib/clock";
import { importLiveWallet, removeLiveWallet } from "@/lib/accounts/change-live-wallet";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { getOrder } from "@/lib/orders/get-order";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { shares } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findInsidePrice,
  type LiveUser,
  makeLiveUser,
  MARKET_BUY,
  RESTING,
  send,
  STANDING_MARKET,
  useLiveVenue,
} from "@/tests/support/live/venue";
import type { Fault } from "@/tests/support/live/fault-server";
import { failRequests } from "@/tests/support/live/faults";
import { createOwner } from "@/tests/support/live/wallets";
import { reconcileUntilSettled } from "@/tests/support/live/compare-with-venue";

const venue = await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", ...STANDING_MARKET });
useFreshDatabase();

let user: LiveUser;
let other: LiveUser;
let keys = new Map<LiveUser, string>();
let orderId = "";

beforeEach(async () => {
  venue.fault = () => null;
  [user, other] = [await makeLiveUser(), await makeLiveUser()];
  keys = new Map([
    [user, await createLiveKey(user)],
    [other, await createLiveKey(other)],
  ]);
  for (const [index, each] of [other, user].entries()) {
    orderId = (await send(each, RESTING, `first-${index}`)).orderId ?? "";
  }
  await expectTruth();
});

async function createLiveKey({ userId }: LiveUser): Promise<string> {
  const given = { userId, name: "live", mode: "live", scopes: ["read"], expiresAt: null } as const;
  return (await withTransaction((tx) => createKey(tx, given))).apiKey;
}

const get = (path: string, asked = user) => callApi("GET", path, { key: keys.get(asked) ?? "" });

/** Compares both reads with the use cases, twice: the second response may be cached. */
async function expectTruth(): Promise<void> {
  const { listOpenOrders: open, getOrder: order } = OPERATIONS;
  const reads: [string, string][] = [
    ["/v1/orders/open", successBody(open.response, await listOpenOrders(user.live, {}))],
    [`/v1/orders/${orderId}`, successBody(order.response, await getOrder(user.live, orderId))],
  ];
  for (const [path, told] of reads) {
    expect((await get(path)).text).toBe(told);
    expect((await get(path)).text).toBe(told);
  }
}

const CHANGES: Record<string, () => Promise<unknown>> = {
  "a resting order": () => send(user, RESTING, "second"),
  "a cancel": () => cancelOrder(user.live, orderId),
  "a cancel of all orders": () => cancelOrders(user.live, undefined),
  "a replaced order": async () => {
    await cancelOrder(user.live, orderId);
    await send(user, RESTING, "second");
  },
  "a fill that is found without a request": async () => {
    await send(other, MARKET_BUY, "to sell");
    const bid = { ...RESTING, price: await findInsidePrice(), shares: shares(10_000_000n) };
    orderId = (await send(user, bid, "second")).orderId ?? "";
    await expectTruth();
    await send(other, { ...bid, action: "SELL", shares: shares(6_000_000n) }, "sale");
    await reconcileUntilSettled(user);
    expect((await getOrder(user.live, orderId)).filledShares).toBe(6_000_000n);
  },
  "an order whose response was lost": async () => {
    const lost: Fault = async (handle, { drop }) => {
      await handle();
      drop();
    };
    failRequests(venue, "POST", "/clob/order", lost);
    orderId = (await send(user, RESTING, "second")).orderId ?? orderId;
    venue.fault = () => null;
    await reconcileUntilSettled(user);
  },
  "another wallet": async () => {
    await cancelOrder(user.live, orderId);
    await expectTruth();
    // The trades have settled by then.
    const restore = setClock(() => Date.now() + 60_000);
    await reconcileNow(user.userId);
    restore();
    await removeLiveWallet(user.userId);
    const { privateKey, funders } = createOwner();
    await importLiveWallet(user.userId, { privateKey, funder: funders[3], signatureType: "3" });
  },
  "an order event that changes nothing else": async () => {
    const detail = { code: "ORDER_OUTCOME_UNKNOWN", message: "the venue does not say" };
    const found = await selectRemoteOrder(await getDb(), orderId);
    if (!found) throw new Error("the order is recorded");
    const event = { row: found.order, type: "unknown", keyId: null, detail } as const;
    await withTransaction((tx) => recordOrderEvents(tx, [event], NO_CAUSE));
  },
};

describe("a cached response of a live account", () => {
  it.each(Object.entries(CHANGES))("is not reused after %s", async (_name, change) => {
    const before = await Promise.all([get("/v1/orders/open"), get(`/v1/orders/${orderId}`)]);
    await change();
    await expectTruth();
    const after = await Promise.all([get("/v1/orders/open"), get(`/v1/orders/${orderId}`)]);
    expect(after.map(({ text }) => text)).not.toEqual(before.map(({ text }) => text));
  });

  it("is reused byte for byte with a new request id while nothing has changed", async () => {
    for (const path of ["/v1/orders/open", `/v1/orders/${orderId}`]) {
      const [first, second] = [await get(path), await get(path)];
      expect(second.text).toBe(first.text);
      expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    }
  });

  it("is not reused for another user or for the user's paper account", async () => {
    const mine = await get("/v1/orders/open");
    expect((await get("/v1/orders/open", other)).text).not.toBe(mine.text);
    expect((await get(`/v1/orders/${orderId}`, other)).status).toBe(404);
    const paper = { key: user.apiKey };
    expect((await callApi("GET", "/v1/orders/open", paper)).text).not.toBe(mine.text);
    expect((await callApi("GET", `/v1/orders/${orderId}`, paper)).status).toBe(404);
  });
});
