import { beforeAll, describe, expect, it } from "vitest";
import { OpenOrders } from "@/lib/schemas/orders";
import { callApi } from "@/tests/support/api/call-api";
import { cancel, readData, place, read } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { copyOrder, itRefusesBadCursors } from "@/tests/support/api/paged-lists";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

// The copied orders have no idempotency keys, which the audit would report.
useExchange({ isAudited: false });

const PAGE = 100;
const MOST = 1_000;

let user: TestUser;
let markets: TestMarkets;
/** Creates a user with more open orders than a page holds. */
let busy: TestUser;
let total: number;

beforeAll(async () => {
  user = await makeUser();
  busy = await makeUser();
  markets = await loadMarkets(user.apiKey);
  const { orderId } = await place(busy.apiKey, orderFor(markets.free));
  await copyOrder(orderId, MOST + PAGE + 49);
  total = MOST + PAGE + 50;
});

const list = (key: string, query = "") => read(OpenOrders, `/v1/orders/open${query}`, key);
const sorted = (...acks: { orderId: string }[]) => acks.map((ack) => ack.orderId).toSorted();
const ids = (page: { orders: { id: string }[] }) => page.orders.map((order) => order.id);

/** Reads all pages, each with at most `PAGE` orders. */
async function walk(key: string, between: (page: number) => Promise<void> = async () => {}) {
  const seen: string[] = [];
  let query = "?onlyFirstPage=true";
  for (let page = 1; ; page += 1) {
    const found = await list(key, query);
    expect(found.orders.length).toBeLessThanOrEqual(PAGE);
    seen.push(...ids(found));
    if (found.nextCursor === null) return seen;
    query = `?onlyFirstPage=true&nextCursor=${found.nextCursor}`;
    await between(page);
  }
}

describe("200", () => {
  it("the list is empty without open orders", async () => {
    const fresh = await makeUser();
    expect(await list(fresh.apiKey)).toEqual({ orders: [], nextCursor: null });
  });

  it("an open order has every documented field", async () => {
    const { free } = markets;
    const { orderId } = await place(user.apiKey, orderFor(free, { price: 0.03, shares: 6.5 }));
    const answer = await callApi("GET", "/v1/orders/open", { key: user.apiKey });
    const data = answer.body.data as unknown as { orders: Record<string, unknown>[] };
    expect(data.orders[0]).toEqual({
      id: orderId,
      marketId: free.id,
      assetId: free.outcomes[0].tokenId,
      marketTitle: free.title,
      marketSlug: free.slug,
      marketRoute: `/markets/${free.slug}`,
      iconUrl: free.iconUrl,
      action: "BUY",
      side: "YES",
      type: "limit",
      price: 0.03,
      shares: 6.5,
      createdAt: "2026-11-21T12:00:02.000Z",
      status: "open",
    });
    await cancel(user.apiKey, orderId);
  });

  it("an order for the second token has the side NO", async () => {
    const tokenId = markets.free.outcomes[1].tokenId;
    const { orderId } = await place(user.apiKey, orderFor(markets.free, { tokenId }));
    expect((await list(user.apiKey)).orders).toMatchObject([
      { id: orderId, side: "NO", assetId: tokenId },
    ]);
    await cancel(user.apiKey, orderId);
  });

  it("closed orders and other users' orders are not listed", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    await cancel(user.apiKey, orderId);
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", amount: 2 }));
    expect(await list(user.apiKey)).toEqual({ orders: [], nextCursor: null });
  });

  it("onlyFirstPage=true returns 100 orders, newest first, with a cursor", async () => {
    const answer = await callApi("GET", "/v1/orders/open?onlyFirstPage=true", { key: busy.apiKey });
    const page = readData(OpenOrders, answer);
    expect(page.orders).toHaveLength(PAGE);
    const keys = page.orders.map((order) => `${order.createdAt.toISOString()} ${order.id}`);
    expect(keys).toEqual(keys.toSorted().toReversed());
    expect(answer.headers.get("link")).toBe(
      `</v1/orders/open?onlyFirstPage=true&nextCursor=${page.nextCursor}>; rel="next"`,
    );
  });

  it("the Link header has the next page, and the last page has none", async () => {
    const seen: string[] = [];
    let path: string | undefined = `/v1/orders/open?market=${markets.free.id}`;
    while (path !== undefined) {
      const answer = await callApi("GET", path, { key: busy.apiKey });
      seen.push(...ids(readData(OpenOrders, answer)));
      path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
    }
    expect(new Set(seen).size).toBe(total);
    expect(seen).toHaveLength(total);
  });

  it.each(["", "?onlyFirstPage=false"])("%j returns 1,000 orders and a cursor", async (query) => {
    const first = await list(busy.apiKey, query);
    expect(first.orders).toHaveLength(MOST);
    const rest = await list(busy.apiKey, `?nextCursor=${first.nextCursor}`);
    expect(rest.orders).toHaveLength(total - MOST);
    expect(rest.nextCursor).toBeNull();
    expect(new Set([...ids(first), ...ids(rest)]).size).toBe(total);
  });

  it("a last page of full size has no cursor", async () => {
    const exact = await makeUser();
    const { orderId } = await place(exact.apiKey, orderFor(markets.free));
    await copyOrder(orderId, PAGE - 1);
    const page = await list(exact.apiKey, "?onlyFirstPage=true");
    expect(page.orders).toHaveLength(PAGE);
    expect(page.nextCursor).toBeNull();
  });

  it("the pages contain every order once, even within one millisecond", async () => {
    const seen = await walk(busy.apiKey);
    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
  });

  it("orders placed and canceled between pages neither hide nor repeat others", async () => {
    const churning = await makeUser();
    const { orderId } = await place(churning.apiKey, orderFor(markets.free));
    await copyOrder(orderId, 3 * PAGE);
    const before = ids(await list(churning.apiKey));
    const canceled: string[] = [];
    const placed: string[] = [];
    const seen = await walk(churning.apiKey, async (page) => {
      placed.push((await place(churning.apiKey, orderFor(markets.free))).orderId);
      // The last order of this page, which the cursor names, and one of the next page.
      for (const id of [before[page * PAGE - 1], before[page * PAGE + 5]]) {
        if (id === undefined) continue;
        await cancel(churning.apiKey, id);
        canceled.push(id);
      }
    });
    const unread = canceled.filter((id) => !seen.includes(id));
    expect(new Set(seen).size).toBe(seen.length);
    // Every order that stayed open is listed; new orders may or may not be.
    expect(seen.filter((id) => !placed.includes(id))).toEqual(
      before.filter((id) => !unread.includes(id)),
    );
    expect(unread).toHaveLength(2);
  });

  it("filters by id, by market and by asset, alone and together", async () => {
    const fresh = await makeUser();
    const { free, taxed } = markets;
    const [first, second] = free.outcomes;
    const one = await place(fresh.apiKey, orderFor(free));
    const two = await place(fresh.apiKey, orderFor(free, { tokenId: second.tokenId }));
    const three = await place(fresh.apiKey, orderFor(taxed));
    const found = async (query: string) => ids(await list(fresh.apiKey, query)).toSorted();
    expect(await found("")).toEqual(sorted(one, two, three));
    expect(await found(`?id=${one.orderId}`)).toEqual(sorted(one));
    expect(await found(`?market=${free.id}`)).toEqual(sorted(one, two));
    expect(await found(`?assetId=${second.tokenId}`)).toEqual(sorted(two));
    expect(await found(`?market=${free.id}&assetId=${first.tokenId}`)).toEqual(sorted(one));
    expect(await found(`?market=${taxed.id}&assetId=${first.tokenId}`)).toEqual([]);
    expect(await found(`?id=${one.orderId}&market=${taxed.id}`)).toEqual([]);
  });

  it.each(["id", "market", "assetId"])("an unknown %s finds nothing", async (name) => {
    for (const value of ["x", "%00", "%00x", "%ff", "%F0%9F%98%80", "'", "%25", "_", "__proto__"]) {
      const found = await list(busy.apiKey, `?${name}=${value}`);
      expect(found).toEqual({ orders: [], nextCursor: null });
    }
  });

  it("another user's order is not found by its id", async () => {
    const [order] = (await list(busy.apiKey, "?onlyFirstPage=true")).orders;
    expect((await list(user.apiKey, `?id=${order?.id}`)).orders).toEqual([]);
  });

  it("unknown parameters are ignored", async () => {
    expect((await list(user.apiKey, "?status=filled&__proto__=1&x")).orders).toEqual([]);
  });
});

describe("400", () => {
  it.each([
    ["onlyFirstPage=TRUE", "onlyFirstPage"],
    ["onlyFirstPage=1", "onlyFirstPage"],
    ["onlyFirstPage=", "onlyFirstPage"],
    ["onlyFirstPage", "onlyFirstPage"],
    ["id=", "id"],
    ["market=", "market"],
    ["assetId=", "assetId"],
    ["id=a&id=b", "id"],
    ["id=a&id=a", "id"],
    ["market=a&market=b", "market"],
    ["onlyFirstPage=true&onlyFirstPage=true", "onlyFirstPage"],
    ["nextCursor=a&nextCursor=b", "nextCursor"],
  ])("%s is rejected, naming the parameter", async (query, name) => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: `${name}: ` }, () =>
      callApi("GET", `/v1/orders/open?${query}`, { key: user.apiKey }),
    );
  });

  it("a cursor of another list is rejected", async () => {
    for (const other of ["/v1/orders?limit=1", "/v1/markets?limit=1"]) {
      const answer = await callApi("GET", other, { key: busy.apiKey });
      const { nextCursor } = answer.body.data as unknown as { nextCursor: string };
      expect(nextCursor).toBeTypeOf("string");
      await expectRefusal({ code: "INVALID_CURSOR" }, () =>
        callApi("GET", `/v1/orders/open?nextCursor=${nextCursor}`, { key: busy.apiKey }),
      );
    }
  });

  it.each([
    ["the end of time", 8_640_000_000_000_000],
    ["before the year 1", -62_200_000_000_000],
    ["half a millisecond", 1.5],
  ])("a forged cursor at %s is rejected", async (_name, at) => {
    const forged = Buffer.from(JSON.stringify(["open", at, `ord_${"0".repeat(26)}`]));
    await expectRefusal({ code: "INVALID_CURSOR" }, () =>
      callApi("GET", `/v1/orders/open?nextCursor=${forged.toString("base64url")}`, {
        key: user.apiKey,
      }),
    );
  });

  itRefusesBadCursors({
    path: "/v1/orders/open?onlyFirstPage=true",
    key: () => busy.apiKey,
    cursor: async () => (await list(busy.apiKey, "?onlyFirstPage=true")).nextCursor ?? "",
  });
});
