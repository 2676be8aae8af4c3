import { beforeAll, describe, expect, it } from "vitest";
import { OrderList } from "@/lib/schemas/orders";
import { callApi } from "@/tests/support/api/call-api";
import { cancel, readData, place, read } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  SECOND_MS,
  START,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api/exchange";
import { copyOrder, itRefusesBadCursors } from "@/tests/support/api/paged-lists";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

// The copied orders have no idempotency keys, which the audit would report.
const clock = useExchange({ isAudited: false });

let user: TestUser;
let busy: TestUser;
let markets: TestMarkets;
/** One order of each kind, a second apart, oldest first. */
const made: Record<string, string> = {};

beforeAll(async () => {
  user = await makeUser();
  busy = await makeUser();
  markets = await loadMarkets(user.apiKey);
  const { free, taxed, bidless } = markets;
  const kinds = {
    canceled: orderFor(free),
    filled: orderFor(taxed, { orderType: "market", shares: 20 }),
    rejected: orderFor(bidless, { orderType: "market", action: "SELL", shares: 5 }),
    sold: orderFor(taxed, { orderType: "market", action: "SELL", shares: 5 }),
    open: orderFor(free, { tokenId: free.outcomes[1].tokenId }),
  };
  for (const [kind, body] of Object.entries(kinds)) {
    const answer = await callApi("POST", "/v1/orders", { key: user.apiKey, body });
    made[kind] = answer.headers.get("location")?.slice("/v1/orders/".length) ?? "";
    clock.advance(SECOND_MS);
  }
  await cancel(user.apiKey, made["canceled"] ?? "");
  const { orderId } = await place(busy.apiKey, orderFor(free));
  await copyOrder(orderId, 249);
});

const list = (query = "", key = user.apiKey) => read(OrderList, `/v1/orders${query}`, key);
const found = async (query: string) => {
  const { orders } = await list(query);
  const names = new Map(Object.entries(made).map(([name, id]) => [id, name]));
  return orders.map((order) => names.get(order.id));
};
const at = (seconds: number) => new Date(START + seconds * SECOND_MS).toISOString();

describe("200", () => {
  it("orders of every status are listed, newest first", async () => {
    expect(await found("")).toEqual(["open", "sold", "rejected", "filled", "canceled"]);
    expect((await list()).orders.map((order) => order.status)).toEqual([
      "open",
      "filled",
      "rejected",
      "filled",
      "canceled",
    ]);
  });

  it.each([
    ["status=open", ["open"]],
    ["status=filled", ["sold", "filled"]],
    ["status=rejected", ["rejected"]],
    ["status=canceled", ["canceled"]],
    ["status=expired", []],
    ["status=unknown", []],
    ["action=SELL", ["sold", "rejected"]],
    ["action=BUY&status=filled", ["filled"]],
    ["market=x", []],
    ["market=%00", []],
    ["assetId=%00", []],
    ["assetId=1", []],
  ])("%s finds the matching orders", async (query, expected) => {
    expect(await found(`?${query}`)).toEqual(expected);
  });

  it("filters by market and by asset", async () => {
    const { free, taxed } = markets;
    expect(await found(`?market=${taxed.id}`)).toEqual(["sold", "filled"]);
    expect(await found(`?market=${free.id}`)).toEqual(["open", "canceled"]);
    expect(await found(`?assetId=${free.outcomes[1].tokenId}`)).toEqual(["open"]);
    expect(await found(`?market=${taxed.id}&assetId=${free.outcomes[1].tokenId}`)).toEqual([]);
  });

  it("from and to are inclusive", async () => {
    expect(await found(`?from=${at(1)}&to=${at(3)}`)).toEqual(["sold", "rejected", "filled"]);
    expect(await found(`?from=${at(4)}`)).toEqual(["open"]);
    expect(await found(`?to=${at(0)}`)).toEqual(["canceled"]);
    expect(await found(`?from=${at(3)}&to=${at(1)}`)).toEqual([]);
  });

  it.each(["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"])(
    "a distant time is accepted: %s",
    async (instant) => {
      const isPast = instant < "2026";
      expect(await found(`?from=${instant}`)).toHaveLength(isPast ? 5 : 0);
      expect(await found(`?to=${instant}`)).toHaveLength(isPast ? 0 : 5);
    },
  );

  it("a page has 100 orders by default, and pages neither miss nor repeat an order", async () => {
    const first = await list("", busy.apiKey);
    expect(first.orders).toHaveLength(100);
    for (const limit of [37, 100, 249, 250, 1_000]) {
      const seen: string[] = [];
      let cursor: string | null | undefined;
      do {
        const query = `?limit=${limit}${cursor ? `&nextCursor=${cursor}` : ""}`;
        const page = await list(query, busy.apiKey);
        expect(page.orders.length).toBeLessThanOrEqual(limit);
        seen.push(...page.orders.map((order) => order.id));
        cursor = page.nextCursor;
      } while (cursor !== null && seen.length <= 250);
      expect(new Set(seen).size).toBe(250);
      expect(seen).toHaveLength(250);
    }
  });

  it("the Link header has the next page with the same filters", async () => {
    const path = `/v1/orders?limit=1&status=filled`;
    const first = await callApi("GET", path, { key: user.apiKey });
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await callApi("GET", next, { key: user.apiKey });
    const ids = [first, second].flatMap((answer) =>
      readData(OrderList, answer).orders.map((order) => order.id),
    );
    expect(ids).toEqual([made["sold"], made["filled"]]);
    expect(second.headers.get("link")).toBeNull();
  });
});

describe("400", () => {
  it.each([
    ["status=OPEN", "status"],
    ["status=", "status"],
    ["status=cancelled", "status"],
    ["action=buy", "action"],
    ["market=", "market"],
    ["assetId=", "assetId"],
    ["from=yesterday", "from"],
    ["from=2026-11-21", "from"],
    ["from=2026-02-30T00:00:00Z", "from"],
    ["to=2026-11-21T12:00:00%2B01:00", "to"],
    ["to=0", "to"],
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["limit=01", "limit"],
    ["limit=1e2", "limit"],
    ["limit=", "limit"],
    ["limit=9".padEnd(400, "9"), "limit"],
    ["status=open&status=filled", "status"],
    ["limit=1&limit=1", "limit"],
  ])("%s is rejected, naming the parameter", async (query, name) => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: `${name}: ` }, () =>
      callApi("GET", `/v1/orders?${query}`, { key: user.apiKey }),
    );
  });

  it.each(["from", "to"])("the year 0 is rejected: %s", async (name) => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: `${name}: ` }, () =>
      callApi("GET", `/v1/orders?${name}=0000-01-01T00:00:00Z`, { key: user.apiKey }),
    );
  });

  it("a cursor of the open orders is rejected", async () => {
    const answer = await callApi("GET", "/v1/orders/open?onlyFirstPage=true", { key: busy.apiKey });
    const { nextCursor } = answer.body.data as unknown as { nextCursor: string };
    await expectRefusal({ code: "INVALID_CURSOR" }, () =>
      callApi("GET", `/v1/orders?nextCursor=${nextCursor}`, { key: busy.apiKey }),
    );
  });

  itRefusesBadCursors({
    path: "/v1/orders?limit=1",
    key: () => busy.apiKey,
    cursor: async () => (await list("?limit=1", busy.apiKey)).nextCursor ?? "",
  });
});
