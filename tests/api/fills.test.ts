import { beforeAll, describe, expect, it } from "vitest";
import { FillList } from "@/lib/schemas/orders";
import { microToNumber } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { place, read, readOrder } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  readQuotes,
  type TestMarkets,
  readTick,
  useExchange,
} from "@/tests/support/api/exchange";
import { itRefusesBadCursors } from "@/tests/support/api/paged-lists";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let other: TestUser;
let markets: TestMarkets;
let ids: string[];

beforeAll(async () => {
  user = await makeUser();
  other = await makeUser();
  markets = await loadMarkets(user.apiKey);
  const { free, taxed } = markets;
  const bodies = [
    orderFor(taxed, { orderType: "market", shares: 12 }),
    orderFor(free, { orderType: "market", amount: 5 }),
    orderFor(taxed, { orderType: "market", action: "SELL", shares: 4 }),
  ];
  ids = [];
  for (const body of bodies) {
    ids.push((await place(user.apiKey, body)).orderId);
    clock.advance(10);
  }
});

const list = (query = "", key = user.apiKey) => read(FillList, `/v1/fills${query}`, key);

describe("200", () => {
  it("fills come newest first, each as in its order's record", async () => {
    const { fills } = await list();
    const expected = [];
    for (const id of ids) {
      const { fills: own, tokenId, marketId, action } = await readOrder(user.apiKey, id);
      expected.push(...own.map((fill) => ({ ...fill, orderId: id, tokenId, marketId, action })));
    }
    expect(fills).toEqual(expected.toReversed());
    expect(fills.map((fill) => fill.action)).toEqual(["SELL", "BUY", "BUY"]);
  });

  it("a fill has every documented field", async () => {
    const answer = await callApi("GET", `/v1/fills?orderId=${ids[0]}`, { key: user.apiKey });
    const { fills } = answer.body.data as unknown as { fills: Record<string, unknown>[] };
    const { ask } = readQuotes(markets.taxed);
    const [fill] = (await readOrder(user.apiKey, ids[0] ?? "")).fills;
    expect(fills).toEqual([
      {
        id: fill?.id,
        tradeId: fill?.tradeId,
        orderId: ids[0],
        marketId: markets.taxed.id,
        tokenId: markets.taxed.outcomes[0].tokenId,
        action: "BUY",
        role: "taker",
        price: microToNumber(ask),
        shares: 12,
        amount: microToNumber(ask * 12n),
        fee: microToNumber(fill?.fee ?? 0n),
        createdAt: "2026-11-21T12:00:02.000Z",
      },
    ]);
  });

  it("a trade between two users is one fill of each, with the same trade id", async () => {
    const { taxed } = markets;
    const at = readQuotes(taxed).bid + readTick(taxed);
    const maker = await place(user.apiKey, orderFor(taxed, { price: microToNumber(at) }));
    const tokenId = taxed.outcomes[1].tokenId;
    const price = microToNumber(1_000_000n - at);
    const taker = await place(other.apiKey, orderFor(taxed, { tokenId, price }));
    const [mine] = (await list(`?orderId=${maker.orderId}`)).fills;
    const [theirs] = (await list("", other.apiKey)).fills;
    expect(mine).toMatchObject({ role: "maker", fee: 0n, shares: 5_000_000n });
    expect(theirs).toMatchObject({ role: "taker", orderId: taker.orderId });
    expect(theirs?.tradeId).toBe(mine?.tradeId);
    expect(theirs?.id).not.toBe(mine?.id);
  });

  it("filters by order and by market, and returns nothing for unknown ones", async () => {
    const { fills } = await list(`?market=${markets.free.id}`);
    expect(fills.map((fill) => fill.orderId)).toEqual([ids[1]]);
    expect((await list(`?orderId=${ids[1]}&market=${markets.taxed.id}`)).fills).toEqual([]);
    for (const query of ["?orderId=%00", "?market=%00", "?orderId=x", "?market=%F0%9F%98%80"]) {
      expect((await list(query)).fills).toEqual([]);
    }
    expect((await list(`?orderId=${ids[0]}`, other.apiKey)).fills).toEqual([]);
  });

  it("pages contain every fill once", async () => {
    // Fills of the same instant are ordered by id.
    const buy = orderFor(markets.free, { orderType: "market", amount: 1 });
    for (const _ of [1, 2, 3]) await place(user.apiKey, buy);
    const whole = (await list()).fills;
    const instants = new Set(whole.map(({ createdAt }) => createdAt.getTime()));
    expect(instants.size).toBeLessThan(whole.length - 1);
    const seen = [];
    let query = "?limit=1";
    for (;;) {
      const page = await list(query);
      expect(page.fills).toHaveLength(1);
      seen.push(...page.fills);
      if (page.nextCursor === null) break;
      query = `?limit=1&nextCursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(whole);
  });
});

describe("400", () => {
  it.each([
    ["orderId=", "orderId"],
    ["market=", "market"],
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["orderId=a&orderId=b", "orderId"],
  ])("%s is rejected with the parameter's name", async (query, name) => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: `${name}: ` }, () =>
      callApi("GET", `/v1/fills?${query}`, { key: user.apiKey }),
    );
  });

  itRefusesBadCursors({
    path: "/v1/fills?limit=1",
    key: () => user.apiKey,
    cursor: async () => (await list("?limit=1")).nextCursor ?? "",
  });
});
