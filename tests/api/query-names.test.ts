import { beforeAll, describe, expect, it } from "vitest";
import { ActivityList } from "@/lib/schemas/account";
import { MarketList } from "@/lib/schemas/markets";
import { CancelOutcomes, FillList, OpenOrders, OrderList } from "@/lib/schemas/orders";
import { callApi } from "@/tests/support/api/call-api";
import { readData, place, read, readOrder } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let user: TestUser;
let markets: TestMarkets;
let openId: string;
let otherId: string;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
  const buy = { orderType: "market", shares: 5 };
  await place(user.apiKey, orderFor(markets.free, buy));
  await place(user.apiKey, orderFor(markets.taxed, buy));
  ({ orderId: otherId } = await place(user.apiKey, orderFor(markets.taxed)));
  ({ orderId: openId } = await place(
    user.apiKey,
    orderFor(markets.free, { idempotencyKey: "kéy \u0000 1" }),
  ));
});

describe("unknown query names", () => {
  it.each([
    ["DELETE", "/v1/orders?marketId=x", /marketId.*known are market$/],
    ["DELETE", "/v1/orders?Market=x", /Market/],
    ["DELETE", "/v1/orders?dryRun=true", /dryRun/],
    ["GET", "/v1/orders?state=open", /state.*status, market/],
    ["GET", "/v1/fills?order=1", /order/],
    ["GET", "/v1/activity?page=2", /page/],
    ["GET", "/v1/markets?q=x", /q.*search/],
    ["GET", "/v1/key?x=", /x.*there are none/],
  ])("%s %s rejects them, naming the unknown and the known parameters", (method, path, message) =>
    expectRefusal({ code: "VALIDATION_ERROR", message }, () =>
      callApi(method, path, { key: user.apiKey }),
    ),
  );

  it.each(["/health", "/v1/account/balance", "/v1/positions", "/v1/orders/open"])(
    "GET %s ignores them",
    async (path) => {
      expect((await callApi("GET", `${path}?marketId=x`, { key: user.apiKey })).status).toBe(200);
    },
  );

  it("DELETE /v1/orders with a body is rejected, because it would look like a filter", () =>
    expectRefusal({ code: "VALIDATION_ERROR", message: /body/ }, () =>
      callApi("DELETE", "/v1/orders", { key: user.apiKey, body: { market: markets.taxed.id } }),
    ));
});

describe("market=", () => {
  it.each(["id", "slug"] as const)("accepts the market's %s in every list", async (name) => {
    const market = `market=${markets.free[name]}`;
    const key = user.apiKey;
    const inMarket = [{ marketId: markets.free.id }];
    const open = await read(OpenOrders, `/v1/orders/open?${market}`, key);
    expect(open.orders.map(({ id }) => id)).toEqual([openId]);
    const { orders } = await read(OrderList, `/v1/orders?${market}&status=filled`, key);
    expect(orders).toMatchObject(inMarket);
    expect((await read(FillList, `/v1/fills?${market}`, key)).fills).toMatchObject(inMarket);
    const { lines } = await read(ActivityList, `/v1/activity?${market}`, key);
    expect(lines).toMatchObject(inMarket);
  });

  it("a line of one market's activity has the same balance as in the whole list", async () => {
    const all = await read(ActivityList, "/v1/activity", user.apiKey);
    const path = `/v1/activity?market=${markets.taxed.slug}&limit=1`;
    const first = await read(ActivityList, path, user.apiKey);
    const second = await read(
      ActivityList,
      `${path}&nextCursor=${first.nextCursor ?? ""}`,
      user.apiKey,
    );
    const expected = all.lines.filter(({ marketId }) => marketId === markets.taxed.id);
    expect([...first.lines, ...second.lines]).toEqual(expected.slice(0, 2));
    expect(expected.length).toBeGreaterThan(1);
  });

  it.each(["orders/open", "orders", "fills", "activity"])(
    "an unknown market matches nothing in /v1/%s",
    async (list) => {
      const answer = await callApi("GET", `/v1/${list}?market=no-such`, { key: user.apiKey });
      expect(Object.values(answer.body.data ?? {})).toEqual([[], null]);
    },
  );

  it("cancels only the orders of the market with the slug", async () => {
    const path = `/v1/orders?market=${markets.free.slug}`;
    const answer = await callApi("DELETE", path, { key: user.apiKey });
    expect(readData(CancelOutcomes, answer)).toEqual({ canceled: [openId], notCanceled: [] });
    expect((await readOrder(user.apiKey, otherId)).status).toBe("open");
  });
});

describe("idempotencyKey=", () => {
  const find = (query: string, key = user.apiKey) =>
    read(OrderList, `/v1/orders?${query}`, key).then(({ orders }) => orders.map(({ id }) => id));
  const named = `idempotencyKey=${encodeURIComponent("kéy \u0000 1")}`;

  it("finds exactly the order that was placed with it", async () => {
    expect(await find(named)).toEqual([openId]);
    expect(await find(named.toUpperCase().replace("IDEMPOTENCYKEY", "idempotencyKey"))).toEqual([]);
    expect(await find("idempotencyKey=k")).toEqual([]);
  });

  it("combines with other filters", async () => {
    expect(await find(`${named}&market=${markets.free.slug}`)).toEqual([openId]);
    expect(await find(`${named}&market=${markets.taxed.slug}`)).toEqual([]);
    expect(await find(`${named}&status=filled`)).toEqual([]);
  });

  it("finds no other user's order", async () => {
    const other = await makeUser();
    expect(await find(named, other.apiKey)).toEqual([]);
  });

  it.each(["", "x".repeat(129)])("%j is rejected as no key", (key) =>
    expectRefusal({ code: "VALIDATION_ERROR", message: /idempotencyKey/ }, () =>
      callApi("GET", `/v1/orders?idempotencyKey=${key}`, { key: user.apiKey }),
    ),
  );
});

it("a category filter ignores case", async () => {
  const [first] = markets.all;
  const list = (category: string) =>
    read(MarketList, `/v1/markets?category=${category}`, user.apiKey);
  const wanted = encodeURIComponent(first?.category ?? "");
  const { markets: exact } = await list(wanted);
  expect(exact.length).toBeGreaterThan(0);
  for (const spelled of [wanted.toUpperCase(), wanted.toLowerCase()]) {
    const { markets: found } = await list(spelled);
    expect(found.map(({ id }) => id)).toEqual(exact.map(({ id }) => id));
  }
});
