import { beforeEach, describe, expect, it } from "vitest";
import { getDb, withTransaction } from "@/lib/db/client";
import { insertOrderEvents } from "@/lib/db/queries/remote-orders";
import { OPERATIONS } from "@/lib/schemas/operations";
import { successBody } from "@/lib/schemas/envelope";
import { createKey } from "@/lib/services/keys/create-key";
import { importLiveWallet } from "@/lib/services/live-wallet/import-live-wallet";
import { removeLiveWallet } from "@/lib/services/live-wallet/remove-live-wallet";
import { cancelOrder } from "@/lib/services/orders/cancel-order";
import { cancelOrders } from "@/lib/services/orders/cancel-orders";
import { getOrder } from "@/lib/services/orders/get-order";
import { listOpenOrders } from "@/lib/services/orders/list-open-orders";
import { shares } from "@/lib/units";
import { callApi } from "@/tests/support/api";
import { useFreshDatabase } from "@/tests/support/database";
import {
  insidePrice,
  type LiveUser,
  makeLiveUser,
  MARKET_BUY,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live";
import type { Fault } from "@/tests/support/fault-server";
import { failRequests } from "@/tests/support/live-faults";
import { newOwner } from "@/tests/support/live-wallets";
import { converge } from "@/tests/support/live-truth";

const venue = await useLiveVenue();
useFreshDatabase();

let user: LiveUser;
let other: LiveUser;
let keys = new Map<LiveUser, string>();
let orderId = "";

beforeEach(async () => {
  venue.fault = () => null;
  [user, other] = [await makeLiveUser(), await makeLiveUser()];
  keys = new Map([
    [user, await liveKeyOf(user)],
    [other, await liveKeyOf(other)],
  ]);
  for (const [index, each] of [other, user].entries()) {
    orderId = (await send(each, RESTING, `first-${index}`)).orderId ?? "";
  }
  await expectTruth();
});

async function liveKeyOf({ userId }: LiveUser): Promise<string> {
  const given = { userId, name: "live", mode: "live", scopes: ["read"], expiresAt: null } as const;
  return (await withTransaction((tx) => createKey(tx, given))).apiKey;
}

const get = (path: string, asked = user) => callApi("GET", path, { key: keys.get(asked) ?? "" });

/** Both reads answer what the service says, twice: the second time it may have been kept. */
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
  "a cancel of everything": () => cancelOrders(user.live, undefined),
  "an order in place of another": async () => {
    await cancelOrder(user.live, orderId);
    await send(user, RESTING, "second");
  },
  "a sale to the user that nobody asked about": async () => {
    await send(other, MARKET_BUY, "to sell");
    const bid = { ...RESTING, price: await insidePrice(), shares: shares(10_000_000n) };
    orderId = (await send(user, bid, "second")).orderId ?? "";
    await expectTruth();
    await send(other, { ...bid, action: "SELL", shares: shares(6_000_000n) }, "sale");
    await converge(user);
    expect((await getOrder(user.live, orderId)).filledShares).toBe(6_000_000n);
  },
  "an order whose answer is lost, and found": async () => {
    const lost: Fault = async (handle, { drop }) => {
      await handle();
      drop();
    };
    failRequests(venue, "POST", "/clob/order", lost);
    orderId = (await send(user, RESTING, "second")).orderId ?? orderId;
    venue.fault = () => null;
    await converge(user);
  },
  "another wallet": async () => {
    await cancelOrder(user.live, orderId);
    await expectTruth();
    await removeLiveWallet(user.userId);
    const { privateKey, funders } = newOwner();
    await importLiveWallet(user.userId, { privateKey, funder: funders[3], signatureType: "3" });
  },
  "a word about the order that changes nothing else": async () => {
    const detail = { code: "ORDER_OUTCOME_UNKNOWN", message: "the venue does not say" };
    const event = { orderId, type: "unknown", keyId: null, detail, createdAt: new Date() } as const;
    await insertOrderEvents(await getDb(), [event]);
  },
};

describe("a live answer that was given before", () => {
  it.each(Object.entries(CHANGES))("is not given again after %s", async (_name, change) => {
    const before = await Promise.all([get("/v1/orders/open"), get(`/v1/orders/${orderId}`)]);
    await change();
    await expectTruth();
    const after = await Promise.all([get("/v1/orders/open"), get(`/v1/orders/${orderId}`)]);
    expect(after.map(({ text }) => text)).not.toEqual(before.map(({ text }) => text));
  });

  it("is given again byte for byte, under an id of its own, while nothing has changed", async () => {
    for (const path of ["/v1/orders/open", `/v1/orders/${orderId}`]) {
      const [first, second] = [await get(path), await get(path)];
      expect(second.text).toBe(first.text);
      expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    }
  });

  it("is given to nobody else, and not to the paper account of the same user", async () => {
    const mine = await get("/v1/orders/open");
    expect((await get("/v1/orders/open", other)).text).not.toBe(mine.text);
    expect((await get(`/v1/orders/${orderId}`, other)).status).toBe(404);
    const paper = { key: user.apiKey };
    expect((await callApi("GET", "/v1/orders/open", paper)).text).not.toBe(mine.text);
    expect((await callApi("GET", `/v1/orders/${orderId}`, paper)).status).toBe(404);
  });
});
