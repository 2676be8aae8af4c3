import { beforeAll, describe, expect, it } from "vitest";
import { computeFingerprint, hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";
import { OrderList, OrderPreview } from "@/lib/schemas/orders";
import { getDb } from "@/lib/db/client";
import { selectClaim } from "@/lib/db/queries/idempotency";
import { MarketDetail } from "@/lib/schemas/markets";
import { microToNumber, usdc } from "@/lib/units";
import { tick } from "@/lib/exchange/ticker";
import { callApi } from "@/tests/support/api/call-api";
import {
  readData,
  readError,
  place,
  placeAndRead,
  read,
  readOrder,
} from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  readQuotes,
  SECOND_MS,
  type TestMarket,
  type TestMarkets,
  readTick,
  useExchange,
} from "@/tests/support/api/exchange";
import { expectRefusal, expectRejection, readWealth } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  callApi("POST", "/v1/orders", { key: user.apiKey, body, headers });
const preview = async (body: unknown) =>
  readData(OrderPreview, await callApi("POST", "/v1/orders/preview", { key: user.apiKey, body }));
const inSeconds = (seconds: number) => new Date(clock.now() + seconds * SECOND_MS).toISOString();
/** Reads the current best ask, because quotes move with the clock. */
async function readAsk(market: TestMarket): Promise<bigint> {
  return readQuotes(await read(MarketDetail, `/v1/markets/${market.id}`, user.apiKey)).ask;
}

describe("timeInForce, expiresAt and postOnly", () => {
  it("an order without options has the defaults of its type", async () => {
    expect(await placeAndRead(user.apiKey, orderFor(markets.free))).toMatchObject({
      timeInForce: "GTC",
      expiresAt: null,
      postOnly: false,
    });
    const market = orderFor(markets.free, { orderType: "market", amount: 1 });
    expect(await placeAndRead(user.apiKey, market)).toMatchObject({
      type: "market",
      timeInForce: "FAK",
    });
  });

  it("a GTD order stays open, expires on time and releases its hold", async () => {
    const fresh = await makeUser();
    const before = await readWealth(fresh.apiKey);
    const expiresAt = inSeconds(30);
    const body = orderFor(markets.free, { timeInForce: "GTD", expiresAt });
    const placed = await placeAndRead(fresh.apiKey, body);
    expect(placed).toMatchObject({ status: "open", timeInForce: "GTD", type: "limit" });
    expect(placed.expiresAt?.toISOString()).toBe(expiresAt);
    clock.advance(29 * SECOND_MS);
    await tick();
    expect((await readOrder(fresh.apiKey, placed.id)).status).toBe("open");
    clock.advance(SECOND_MS);
    await tick();
    const ended = await readOrder(fresh.apiKey, placed.id);
    expect(ended).toMatchObject({ status: "expired", filledShares: 0n });
    expect(ended.events.map(({ type }) => type)).toEqual(["received", "opened", "expired"]);
    expect((await readWealth(fresh.apiKey)).balance).toEqual(before.balance);
    const all = { ...orderFor(markets.free, { amount: 9_990, orderType: "market" }) };
    expect((await preview(all)).availableUsdc).toBeGreaterThan(0n);
  });

  it("an expiresAt with an offset is the same time", async () => {
    const at = new Date(clock.now() + 60 * SECOND_MS);
    const local = new Date(at.getTime() + 2 * 3_600 * SECOND_MS).toISOString();
    const expiresAt = local.replace("Z", "+02:00");
    const placed = await placeAndRead(
      user.apiKey,
      orderFor(markets.free, { timeInForce: "GTD", expiresAt }),
    );
    expect(placed.expiresAt).toEqual(at);
  });

  it("a limit order with FAK fills what it can and cancels the rest", async () => {
    const ask = await readAsk(markets.free);
    const price = microToNumber(ask);
    const body = orderFor(markets.free, { price, shares: 1_000_000, timeInForce: "FAK" });
    const quoted = await preview(body);
    expect(quoted).toMatchObject({ timeInForce: "FAK", restingShares: 0n });
    const rich = await makeUser(usdc(2_000_000_000_000n));
    const placed = await placeAndRead(rich.apiKey, body);
    expect(placed).toMatchObject({ type: "limit", timeInForce: "FAK", status: "canceled" });
    expect(placed.filledShares).toBe(quoted.shares);
    expect(placed.fills.every((fill) => fill.price === ask)).toBe(true);
  });

  it("a limit order with FAK and no match is rejected", () =>
    expectRejection(user, { code: "NO_LIQUIDITY" }, () =>
      post(orderFor(markets.free, { timeInForce: "FAK" })),
    ));

  it.each(["limit", "market"])("a %s order with FOK fills in full or not at all", async (type) => {
    const { taxed } = markets;
    const price = microToNumber(await readAsk(taxed));
    const body = (shares: number) =>
      orderFor(taxed, { orderType: type, price, shares, timeInForce: "FOK" });
    expect(await placeAndRead(user.apiKey, body(5))).toMatchObject({
      type,
      timeInForce: "FOK",
      status: "filled",
      filledShares: 5_000_000n,
    });
    const tooMuch = body(900_000);
    expect((await preview(tooMuch)).refusal?.code).toBe("ORDER_NOT_FILLED");
    await expectRejection(user, { code: "ORDER_NOT_FILLED" }, () => post(tooMuch));
  });

  it("a FOK order without any match returns ORDER_NOT_FILLED", () =>
    expectRejection(user, { code: "ORDER_NOT_FILLED" }, () =>
      post(orderFor(markets.free, { timeInForce: "FOK" })),
    ));

  it("a post-only order that would cross is rejected and holds nothing; otherwise it stays open", async () => {
    const ask = await readAsk(markets.free);
    const crossing = orderFor(markets.free, { price: microToNumber(ask), postOnly: true });
    expect((await preview(crossing)).refusal?.code).toBe("ORDER_REJECTED");
    await expectRejection(user, { code: "ORDER_REJECTED", message: /post-only/ }, () =>
      post(crossing),
    );
    const below = microToNumber(ask - readTick(markets.free));
    const rests = orderFor(markets.free, { price: below, postOnly: true });
    expect(await preview(rests)).toMatchObject({ refusal: null, postOnly: true });
    const { id } = await placeAndRead(user.apiKey, rests);
    expect(await readOrder(user.apiKey, id)).toMatchObject({ status: "open", postOnly: true });
    const { orders } = await read(OrderList, "/v1/orders?limit=1", user.apiKey);
    expect(orders[0]).toMatchObject({ id, postOnly: true, timeInForce: "GTC", expiresAt: null });
  });

  it.each([
    [{ timeInForce: "GTD" }, /GTD.*expiresAt/],
    [{ expiresAt: "2036-01-01T00:00:00Z" }, /expiresAt.*GTD/],
    [{ timeInForce: "FOK", expiresAt: "2036-01-01T00:00:00Z" }, /expiresAt.*FOK/],
    [{ timeInForce: "FAK", postOnly: true }, /postOnly.*FAK/],
    [{ orderType: "market", timeInForce: "GTC" }, /GTC.*market/],
    [{ orderType: "market", postOnly: true }, /postOnly.*FAK/],
  ])("%j is rejected, naming the fields", (fields, message) =>
    expectRefusal({ code: "CONFLICTING_FIELDS", message }, () =>
      post(orderFor(markets.free, fields)),
    ),
  );

  it.each([
    [{ timeInForce: "IOC" }, /timeInForce/],
    [{ timeInForce: "gtc" }, /timeInForce/],
    [{ postOnly: "true" }, /postOnly/],
    [{ timeInForce: "GTD", expiresAt: 1_900_000_000 }, /expiresAt/],
    [{ timeInForce: "GTD", expiresAt: "tomorrow" }, /expiresAt/],
    [{ timeInForce: "GTD", expiresAt: "2020-01-01T00:00:00Z" }, /expiresAt.*future/],
    [{ timeInForce: "GTD", expiresAt: "9999-12-31T23:59:59Z" }, /expiresAt.*9999/],
  ])("%j is not valid", (fields, message) =>
    expectRefusal({ code: "VALIDATION_ERROR", message }, () =>
      post(orderFor(markets.free, fields)),
    ),
  );
});

describe("the fingerprint", () => {
  it("is the same with explicit and with omitted default options", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "plain" });
    const first = await place(user.apiKey, body);
    const claim = await selectClaim(await getDb(), user.userId, hashIdempotencyKey("plain"));
    const { tokenId } = body;
    expect(claim?.fingerprint).toBe(
      computeFingerprint({
        tokenId,
        action: "BUY",
        orderType: "limit",
        mode: "paper",
        shares: "5",
        price: "0.01",
      }),
    );
    const again = await place(user.apiKey, { ...body, timeInForce: "GTC", postOnly: false });
    expect(again).toEqual(first);
  });

  it("differs for an order with other options", async () => {
    const expiresAt = inSeconds(90);
    const body = orderFor(markets.free, { idempotencyKey: "gtd", timeInForce: "GTD", expiresAt });
    const first = await place(user.apiKey, body);
    expect(await place(user.apiKey, body)).toEqual(first);
    const others = [
      { ...body, expiresAt: inSeconds(91) },
      { ...body, postOnly: true },
      { ...body, timeInForce: "FAK", expiresAt: undefined },
    ];
    for (const [index, other] of others.entries()) {
      const error = readError(await post(other));
      expect(error.code).toBe("IDEMPOTENCY_KEY_REUSED");
      expect(error.message).toContain(["expiresAt", "postOnly", "timeInForce"][index]);
    }
    clock.advance(120 * SECOND_MS);
    expect(await place(user.apiKey, body), "a replay after the expiry").toEqual(first);
  });
});

describe("options that are not supported", () => {
  it.each([
    ["reduceOnly", false],
    ["reduce_only", true],
    ["dryRun", true],
    ["DRY-RUN", true],
    ["expiration", 0],
    ["clientOrderId", "x"],
    ["client_order_id", "x"],
    ["stopPrice", 0.2],
    ["leverage", 1],
    ["time_in_force", "FOK"],
    ["postonly", true],
    ["idempotency_key", "x"],
    ["Price", 0.2],
  ])("%s is rejected by name, in placements and previews", async (name, value) => {
    const body = { ...orderFor(markets.free), [name]: value };
    await expectRefusal({ code: "VALIDATION_ERROR", message: name }, () => post(body));
    const answer = await callApi("POST", "/v1/orders/preview", { key: user.apiKey, body });
    expect(readError(answer).message).toContain(name);
  });

  it("other unknown properties are ignored", async () => {
    const body = { ...orderFor(markets.free), note: "x", constructor: 1, userId: "usr_1" };
    expect((await post(body)).status).toBe(200);
  });

  it("an order option in the query is rejected, because the query is not read", () =>
    expectRefusal({ code: "VALIDATION_ERROR", message: /dryRun/ }, () =>
      callApi("POST", "/v1/orders?dryRun=true", {
        key: user.apiKey,
        body: orderFor(markets.free),
      }),
    ));
});

describe("the Idempotency-Key header", () => {
  it("is the key of an order without one in its body", async () => {
    const body = orderFor(markets.free);
    const first = await post(body, { "idempotency-key": "from-header" });
    const again = await post({ ...body, idempotencyKey: "from-header" });
    expect(first.body.data).toMatchObject({ idempotencyKey: "from-header" });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const quoted = await post(body, { "idempotency-key": '"from-header"' });
    expect(quoted.text).toBe(first.text);
  });

  it("is rejected if it differs from the body's key, and accepted if both are equal", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "in-body" });
    await expectRefusal({ code: "CONFLICTING_FIELDS", message: /Idempotency-Key/ }, () =>
      post(body, { "idempotency-key": "in-header" }),
    );
    expect((await post(body, { "idempotency-key": "in-body" })).status).toBe(200);
  });

  it.each(["", "x".repeat(129), "a, a", "\u00e9"])("%j is rejected", (key) =>
    expectRefusal({ code: "VALIDATION_ERROR", message: /idempotency-?key/i }, () =>
      post(orderFor(markets.free), { "idempotency-key": key }),
    ),
  );
});

describe("duplicate names in a body", () => {
  it.each([
    ['"shares":5,"shares":500', "shares"],
    ['"shares":5,"\\u0073hares":500', "shares"],
    ['"shares":5,"note":{"a":[1,{"b":2,"b":3}]}', "b"],
  ])("%s is rejected", (fields, name) => {
    const { shares: _, ...rest } = orderFor(markets.free) as Record<string, unknown>;
    const body = `${JSON.stringify(rest).slice(0, -1)},${fields}}`;
    return expectRefusal({ code: "INVALID_JSON", message: `"${name}"` }, () => post(body));
  });
});
