import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CancelOutcomes } from "@/lib/schemas/orders";
import { callApi } from "@/tests/support/api/call-api";
import { readData, place, readOrder } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { databaseState, expectRefusal, readWealth } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const removeAll = (query = "", key = user.apiKey) =>
  callApi("DELETE", `/v1/orders${query}`, { key });
const outcomes = async (query = "", key = user.apiKey) =>
  readData(CancelOutcomes, await removeAll(query, key));
const NOTHING = { canceled: [], notCanceled: [] };

describe("200", () => {
  let ids: string[];

  beforeEach(async () => {
    await removeAll();
    ids = [];
    for (const market of [markets.free, markets.taxed, markets.free]) {
      ids.push((await place(user.apiKey, orderFor(market))).orderId);
    }
  });

  it("all open orders of all markets are canceled, and all reservations are released", async () => {
    const { canceled, notCanceled } = await outcomes();
    expect(canceled.toSorted()).toEqual(ids.toSorted());
    expect(notCanceled).toEqual([]);
    expect((await readWealth(user.apiKey)).open.orders).toEqual([]);
    for (const id of ids) {
      const record = await readOrder(user.apiKey, id);
      expect(record.status).toBe("canceled");
      expect(record.events.at(-1)).toMatchObject({
        keyId: user.principal.keyId,
        detail: { reason: "requested" },
      });
    }
  });

  it("only the orders of the given market are canceled", async () => {
    const { canceled } = await outcomes(`?market=${markets.free.id}`);
    expect(canceled.toSorted()).toEqual([ids[0], ids[2]].toSorted());
    expect((await readOrder(user.apiKey, ids[1] ?? "")).status).toBe("open");
  });

  it("another user's orders stay open", async () => {
    const other = await makeUser();
    const { orderId } = await place(other.apiKey, orderFor(markets.free));
    await outcomes();
    expect((await readOrder(other.apiKey, orderId)).status).toBe("open");
    expect(await outcomes("", other.apiKey)).toEqual({ canceled: [orderId], notCanceled: [] });
  });

  it.each(["?market=x", "?market=%00", "?market=0x00"])(
    "a market without orders cancels nothing: %s",
    async (query) => {
      const before = await databaseState();
      expect(await outcomes(query)).toEqual(NOTHING);
      expect(await databaseState()).toEqual(before);
    },
  );

  it("nothing happens without open orders", async () => {
    await outcomes();
    const before = await databaseState();
    expect(await outcomes()).toEqual(NOTHING);
    expect(await databaseState()).toEqual(before);
  });

  it("concurrent placements and cancels leave each order either canceled or open", async () => {
    const placing = Array.from({ length: 5 }, () => place(user.apiKey, orderFor(markets.free)));
    const [first, second] = await Promise.all([outcomes(), outcomes()]);
    const placed = await Promise.all(placing);
    const canceled = new Set([...first.canceled, ...second.canceled]);
    for (const id of [...ids, ...placed.map((ack) => ack.orderId)]) {
      const { status } = await readOrder(user.apiKey, id);
      expect(status).toBe(canceled.has(id) ? "canceled" : "open");
    }
  });
});

describe("400", () => {
  it.each(["?market=", "?market=a&market=b"])("%s is rejected", async (query) => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: "market: " }, () => removeAll(query));
  });
});

describe("401", () => {
  it("a key without the scope cancel cancels nothing", async () => {
    const trader = await makeUser(undefined, ["read", "trade"]);
    await place(trader.apiKey, orderFor(markets.free));
    await expectRefusal({ code: "INSUFFICIENT_SCOPE", message: "cancel" }, () =>
      removeAll("", trader.apiKey),
    );
  });
});
