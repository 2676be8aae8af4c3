import { beforeAll, describe, expect, it } from "vitest";
import { callApi } from "@/tests/support/api/call-api";
import { place, placeAndRead } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const post = (body: unknown) => callApi("POST", "/v1/orders", { key: user.apiKey, body });
/** Builds the JSON of an order with the literal value of one field. */
const withLiteral = (name: string, literal: string) => {
  const { [name]: _replaced, ...rest } = orderFor(markets.free) as Record<string, unknown>;
  return `${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(name)}:${literal}}`;
};
const sizedBody = (kind: string, sizes: object) => {
  const [orderType, action] = kind.split(" ");
  return { tokenId: markets.free.outcomes[0].tokenId, orderType, action, ...sizes };
};
const ASTRAL = "😀";

describe("200", () => {
  it.each([
    ["1 character", "k"],
    ["128 characters", "k".repeat(128)],
    ["1 character outside the basic plane", ASTRAL],
    ["128 characters outside the basic plane", ASTRAL.repeat(128)],
    ["128 lone surrogates", "\ud800".repeat(128)],
    ["a single space", " "],
  ])("an idempotencyKey of %s is accepted and returned unchanged", async (_name, key) => {
    const ack = await place(user.apiKey, orderFor(markets.free, { idempotencyKey: key }));
    expect(ack.idempotencyKey).toBe(key);
  });

  it.each([
    ["the lowest price of the finest tick", 0.0001],
    ["the highest price of the finest tick", 0.9999],
  ])("%s is accepted", async (_name, price) => {
    const body = orderFor(markets.fine, { price, shares: 5 });
    expect((await placeAndRead(user.apiKey, body)).price).toBe(BigInt(price * 10_000) * 100n);
  });

  it("unknown properties are ignored, whatever their value", async () => {
    const nested = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
    const text = JSON.stringify(orderFor(markets.free));
    const extra = `"note":"FOK","__proto__":{"price":0.9},"constructor":null,"x":${nested}`;
    const record = await placeAndRead(user.apiKey, `${text.slice(0, -1)},${extra}}`);
    expect(record).toMatchObject({ status: "open", price: 10_000n, shares: 5_000_000n });
  });

  it("unknown query parameters and headers of a POST are ignored", async () => {
    const answer = await callApi("POST", "/v1/orders?action=SELL", {
      key: user.apiKey,
      body: orderFor(markets.free),
      headers: { "x-unknown": "1" },
    });
    expect(answer.status).toBe(200);
  });

  it.each([
    ["0.50", "0.5"],
    ["5e-1", "0.5"],
    ["0.05e1", "0.5"],
  ])("the JSON number %s means %s", async (literal, meant) => {
    const body = JSON.stringify(orderFor(markets.free, { price: 7, action: "BUY" }));
    const record = await placeAndRead(user.apiKey, body.replace('"price":7', `"price":${literal}`));
    expect(Number(record.price) / 1_000_000).toBe(Number(meant));
  });
});

describe("400 for an invalid value", () => {
  it.each<[string, string, string]>([
    ["tokenId", '""', "an empty tokenId"],
    ["tokenId", "5", "a number as tokenId"],
    ["tokenId", "null", "null as tokenId"],
    ["tokenId", '["1"]', "a list as tokenId"],
    ["action", '"buy"', "an action in lower case"],
    ["action", '"HOLD"', "an action that does not exist"],
    ["action", "null", "null as action"],
    ["orderType", '"LIMIT"', "an orderType in upper case"],
    ["orderType", '"stop"', "an orderType that does not exist"],
    ["amount", "0", "an amount of 0"],
    ["amount", "-0", "an amount of minus 0"],
    ["amount", "-1", "a negative amount"],
    ["amount", "-0.0000001", "an amount below 0 by less than a base unit"],
    ["amount", '"5"', "text as amount"],
    ["amount", '"NaN"', "NaN as amount"],
    ["amount", "null", "null as amount"],
    ["amount", "true", "a boolean as amount"],
    ["amount", "1e309", "an amount beyond the range of numbers"],
    ["amount", "1e21", "an amount beyond the limit"],
    ["shares", "0", "0 shares"],
    ["shares", "-1", "negative shares"],
    ["shares", '"5"', "text as shares"],
    ["shares", "null", "null as shares"],
    ["shares", "{}", "an object as shares"],
    ["price", "0", "a price of 0"],
    ["price", "1", "a price of 1"],
    ["price", "1.5", "a price above 1"],
    ["price", "-0.5", "a negative price"],
    ["price", "1e-400", "a price so small that it is 0"],
    ["price", '"0.5"', "text as price"],
    ["price", "null", "null as price"],
    ["tickSize", '""', "an empty tickSize"],
    ["tickSize", "0.01", "a number as tickSize"],
    ["tickSize", "null", "null as tickSize"],
    ["idempotencyKey", '""', "an empty idempotencyKey"],
    ["idempotencyKey", JSON.stringify("k".repeat(129)), "an idempotencyKey of 129 characters"],
    [
      "idempotencyKey",
      JSON.stringify(ASTRAL.repeat(129)),
      "an idempotencyKey of 129 characters outside the basic plane",
    ],
    ["idempotencyKey", "7", "a number as idempotencyKey"],
    ["idempotencyKey", "null", "null as idempotencyKey"],
  ])("%s: %s is rejected (%s), and the message names the field", async (name, literal) => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: `${name}: ` }, () =>
      post(withLiteral(name, literal)),
    );
  });

  it.each(["tokenId", "action", "orderType"])("%s is required", async (name) => {
    const { [name]: _left, ...body } = orderFor(markets.free) as Record<string, unknown>;
    await expectRefusal({ code: "VALIDATION_ERROR", message: `${name}: ` }, () => post(body));
  });

  it("inherited properties are not read as fields", async () => {
    const { tokenId, ...rest } = orderFor(markets.free);
    const text = `${JSON.stringify(rest).slice(0, -1)},"__proto__":{"tokenId":"${tokenId}"}}`;
    await expectRefusal({ code: "VALIDATION_ERROR", message: "tokenId: " }, () => post(text));
  });

  it.each<[string, string]>([
    ["amount", "5.0000001"],
    ["amount", "0.0000001"],
    ["amount", "1e-7"],
    ["amount", "5.000000000000001"],
    ["shares", "5.0000001"],
    ["shares", "0.0000001"],
    ["price", "0.0000001"],
    ["price", "0.9999999"],
    ["price", "0.5000001"],
  ])("%s: %s has more than six decimals", async (name, literal) => {
    await expectRefusal({ code: "PRECISION_TOO_HIGH", message: `${name}: ` }, () =>
      post(withLiteral(name, literal)),
    );
  });

  it.each([
    ["shares", 0.000001, "PRECISION_TOO_HIGH"],
    ["price", 0.000001, "PRICE_OFF_TICK"],
    ["price", 0.999999, "PRICE_OFF_TICK"],
  ] as const)(
    "the smallest value in the range of %s is checked by the market, not the field: %s",
    async (name, value, code) => {
      await expectRefusal({ code }, () => post(orderFor(markets.free, { [name]: value })));
    },
  );

  it("the smallest amount is checked by the market, not by the field", async () => {
    const body = orderFor(markets.free, { amount: 0.000001 });
    await expectRefusal({ code: "ORDER_TOO_SMALL" }, () => post(body));
  });
});

describe("400 for conflicting fields", () => {
  const SIZES = { none: {}, amount: { amount: 5 }, shares: { shares: 10 } } as const;
  const BOTH = { amount: 5, shares: 10 };

  it.each([
    ["limit BUY", SIZES.shares],
    ["limit BUY", SIZES.amount],
    ["limit SELL", SIZES.shares],
    ["limit SELL", SIZES.amount],
    ["limit BUY", SIZES.none],
    ["limit SELL", BOTH],
  ])("a %s without price, sized by %o, returns PRICE_REQUIRED", async (kind, sizes) => {
    await expectRefusal({ code: "PRICE_REQUIRED", message: /\bprice\b/ }, () =>
      post(sizedBody(kind, sizes)),
    );
  });

  it.each(["market BUY", "limit BUY"])(
    "a %s with neither returns AMOUNT_OR_SHARES_REQUIRED and names both",
    async (kind) => {
      await expectRefusal(
        { code: "AMOUNT_OR_SHARES_REQUIRED", message: /\bamount\b.*\bshares\b/ },
        () => post({ ...sizedBody(kind, {}), price: 0.01 }),
      );
    },
  );

  it.each(["market SELL", "limit SELL"])(
    "a %s without shares returns AMOUNT_OR_SHARES_REQUIRED and names shares",
    async (kind) => {
      await expectRefusal({ code: "AMOUNT_OR_SHARES_REQUIRED", message: /\bshares\b/ }, () =>
        post({ ...sizedBody(kind, {}), price: 0.99 }),
      );
    },
  );

  it.each([
    ["market SELL", SIZES.amount],
    ["market SELL", BOTH],
    ["limit SELL", SIZES.amount],
    ["limit SELL", BOTH],
    ["market BUY", BOTH],
    ["limit BUY", BOTH],
  ])("a %s sized by %o returns CONFLICTING_FIELDS and names amount", async (kind, sizes) => {
    await expectRefusal({ code: "CONFLICTING_FIELDS", message: /\bamount\b/ }, () =>
      post({ ...sizedBody(kind, sizes), price: 0.99 }),
    );
  });
});
