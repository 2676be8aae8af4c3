import { beforeAll, describe, expect, it } from "vitest";
import type { ErrorCode } from "@/lib/errors";
import { formatCents, microToNumber } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { readError, placeAndRead } from "@/tests/support/api/client";
import {
  loadMarkets,
  MINUTE_MS,
  orderFor,
  readQuotes,
  type TestMarket,
  type TestMarkets,
  readTick,
  useExchange,
} from "@/tests/support/api/exchange";
import { expectRefusal, expectRejection } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const post = (body: unknown) => callApi("POST", "/v1/orders", { key: user.apiKey, body });
const marketWithTick = (tickSize: string): TestMarket => {
  const found = markets.all.find(
    (market) => market.tickSize === tickSize && market.outcomes[0].bestAsk !== null,
  );
  if (!found) throw new Error(`no market has the tick ${tickSize}`);
  return found;
};
const TICKS = ["0.1", "0.01", "0.005", "0.0025", "0.001", "0.0001"] as const;

describe("200", () => {
  it.each(TICKS)("a tickSize of %s is accepted if it is the market's tick", async (tickSize) => {
    const market = marketWithTick(tickSize);
    const record = await placeAndRead(user.apiKey, orderFor(market, { tickSize, shares: 100 }));
    expect(record.price).toBe(readTick(market));
  });

  it("a tickSize is compared as a number", async () => {
    const record = await placeAndRead(user.apiKey, orderFor(markets.free, { tickSize: "0.010" }));
    expect(record.status).toBe("open");
  });

  it("a limit order of exactly the minimum size is accepted", async () => {
    expect(markets.free.minOrderShares).toBe(5_000_000n);
    const record = await placeAndRead(user.apiKey, orderFor(markets.free, { shares: 5 }));
    expect(record.shares).toBe(5_000_000n);
  });

  it("a market buy of exactly the minimum amount is accepted", async () => {
    expect(markets.free.minMarketBuy).toBe(1_000_000n);
    const body = orderFor(markets.free, { orderType: "market", amount: 1 });
    expect((await placeAndRead(user.apiKey, body)).amount).toBe(1_000_000n);
  });

  it("a market that is about to close still takes orders", async () => {
    const record = await placeAndRead(user.apiKey, orderFor(markets.short, { shares: 10 }));
    expect(record.status).toBe("open");
  });

  it("shares with two decimals are accepted", async () => {
    const record = await placeAndRead(user.apiKey, orderFor(markets.free, { shares: 5.01 }));
    expect(record.shares).toBe(5_010_000n);
  });
});

describe("400", () => {
  it.each(TICKS)("a tickSize that differs from the market's %s is rejected, naming it", (tick) => {
    const wrong = tick === "0.1" ? "0.01" : "0.1";
    return expectRefusal({ code: "INVALID_TICK_SIZE", message: new RegExp(`\\b${tick}\\b`) }, () =>
      post(orderFor(marketWithTick(tick), { tickSize: wrong })),
    );
  });

  it.each(["0.010000001", "1e-2", "0,01", " 0.01", "0.01\u0000", "cent", "-0.01", "𝟎.𝟎𝟏"])(
    "a tickSize written %j is not the market's 0.01",
    (tickSize) =>
      expectRefusal({ code: "INVALID_TICK_SIZE", message: "is 0.01" }, () =>
        post(orderFor(markets.free, { tickSize })),
      ),
  );

  it.each([
    ["0.1", 0.45, "0.4", "0.5"],
    ["0.01", 0.505, "0.5", "0.51"],
    ["0.01", 0.019999, "0.01", "0.02"],
    ["0.005", 0.501, "0.5", "0.505"],
    ["0.0025", 0.501, "0.5", "0.5025"],
    ["0.001", 0.5005, "0.5", "0.501"],
    ["0.0001", 0.50005, "0.5", "0.5001"],
  ])("on a tick of %s the price %s is rejected, naming %s and %s", (tick, price, below, above) =>
    expectRefusal(
      { code: "PRICE_OFF_TICK", message: new RegExp(`\\b${below}\\b.*\\b${above}\\.$`) },
      () => post(orderFor(marketWithTick(tick), { price })),
    ),
  );

  it.each([
    ["below", 0.005, "0.01"],
    ["above", 0.995, "0.99"],
  ])("a price %s the price range is rejected, naming the nearest price", (_where, price, nearest) =>
    expectRefusal({ code: "PRICE_OFF_TICK", message: new RegExp(`Use ${nearest}\\.$`) }, () =>
      post(orderFor(markets.free, { price })),
    ),
  );

  it("a worst price off the tick is rejected", () =>
    expectRefusal({ code: "PRICE_OFF_TICK", message: /0\.55.*0\.56/ }, () =>
      post(orderFor(markets.free, { orderType: "market", amount: 5, price: 0.555 })),
    ));

  it.each([
    ["shares of a limit order", { shares: 5.001 }],
    ["shares of a market sell", { orderType: "market", action: "SELL", shares: 5.001 }],
    ["the amount of a market buy", { orderType: "market", amount: 5.001 }],
  ])("%s with three decimals are rejected", (_what, fields) =>
    expectRefusal({ code: "PRECISION_TOO_HIGH", message: "2 decimals" }, () =>
      post(orderFor(markets.free, fields)),
    ),
  );

  it("a limit order below the minimum size is rejected, naming both sizes", () =>
    expectRefusal({ code: "ORDER_TOO_SMALL", message: /\b5 shares.*\b4\.99\b/ }, () =>
      post(orderFor(markets.free, { shares: 4.99 })),
    ));

  it("a limit buy whose amount buys too few shares is rejected", () =>
    expectRefusal({ code: "ORDER_TOO_SMALL", message: /\b5 shares.*\b4\.99\b/ }, () =>
      post(orderFor(markets.free, { price: 0.4, amount: 1.999999 })),
    ));

  it("a market buy below the minimum amount is rejected, naming both amounts", () =>
    expectRefusal({ code: "ORDER_TOO_SMALL", message: /\$1\.00\b.*\$0\.99\b/ }, () =>
      post(orderFor(markets.free, { orderType: "market", amount: 0.99 })),
    ));

  it("a market buy of shares worth less than the minimum amount is rejected", async () => {
    const answer = await expectRejection(user, { code: "ORDER_TOO_SMALL", message: "$1.00" }, () =>
      post(orderFor(markets.free, { orderType: "market", shares: 0.01 })),
    );
    expect(readError(answer).message).toMatch(/This one is \$0\.\d+\.$/);
  });

  it("a market buy without a match at its worst price is recorded as NO_LIQUIDITY", async () => {
    const price = readQuotes(markets.free).ask - readTick(markets.free);
    await expectRejection(user, { code: "NO_LIQUIDITY", message: formatCents(price) }, () =>
      post(orderFor(markets.free, { orderType: "market", amount: 5, price: microToNumber(price) })),
    );
  });

  it("a market sell without a match at its worst price is recorded as NO_LIQUIDITY", async () => {
    const price = readQuotes(markets.free).bid + readTick(markets.free);
    const body = { orderType: "market", action: "SELL", shares: 5, price: microToNumber(price) };
    await expectRejection(user, { code: "NO_LIQUIDITY", message: formatCents(price) }, () =>
      post(orderFor(markets.free, body)),
    );
  });

  it("a market sell without any bids is recorded as NO_LIQUIDITY", async () => {
    await expectRejection(user, { code: "NO_LIQUIDITY", message: "There are no buyers" }, () =>
      post(orderFor(markets.bidless, { orderType: "market", action: "SELL", shares: 5 })),
    );
  });

  it("a rejected field leaves the idempotency key free for the corrected order", async () => {
    const idempotencyKey = "tried-until-right";
    const attempts: [ErrorCode, object][] = [
      ["VALIDATION_ERROR", { price: 2 }],
      ["PRECISION_TOO_HIGH", { shares: 5.0000001 }],
      ["PRICE_REQUIRED", { price: undefined }],
      ["CONFLICTING_FIELDS", { amount: 5, shares: 5 }],
      ["AMOUNT_OR_SHARES_REQUIRED", { shares: undefined }],
      ["INVALID_TICK_SIZE", { tickSize: "0.1" }],
      ["PRICE_OFF_TICK", { price: 0.015 }],
      ["PRECISION_TOO_HIGH", { shares: 5.001 }],
      ["ORDER_TOO_SMALL", { shares: 1 }],
      ["MARKET_NOT_FOUND", { tokenId: "1" }],
    ];
    for (const [code, fields] of attempts) {
      await expectRefusal({ code }, () =>
        post(orderFor(markets.free, { idempotencyKey, ...fields })),
      );
    }
    const record = await placeAndRead(user.apiKey, orderFor(markets.free, { idempotencyKey }));
    expect(record).toMatchObject({ idempotencyKey, status: "open" });
  });
});

describe("404", () => {
  it.each(["1", "0", "-1", "x", "\u0000", "1\u0000", "9".repeat(78), "9".repeat(79), "\ud800"])(
    "no market has the tokenId %j",
    (tokenId) =>
      expectRefusal({ code: "MARKET_NOT_FOUND", message: "tokenId" }, () =>
        post(orderFor(markets.free, { tokenId })),
      ),
  );

  it("a condition id is not found as a token id", () =>
    expectRefusal({ code: "MARKET_NOT_FOUND" }, () =>
      post(orderFor(markets.free, { tokenId: markets.free.id })),
    ));
});

describe("400 once the market is closed", () => {
  it.each(["limit", "market"])(
    "a %s order is rejected, naming the closing time, and its key stays free",
    async (orderType) => {
      const { short } = markets;
      const idempotencyKey = `late-${orderType}`;
      clock.advance(Math.max(0, short.closesAt.getTime() - clock.now()));
      const sized = orderType === "limit" ? { price: 0.1, shares: 10 } : { amount: 5 };
      await expectRefusal({ code: "MARKET_CLOSED", message: short.closesAt.toISOString() }, () =>
        post(orderFor(short, { orderType, idempotencyKey, ...sized })),
      );
      const other = await placeAndRead(user.apiKey, orderFor(markets.free, { idempotencyKey }));
      expect(other.idempotencyKey).toBe(idempotencyKey);
    },
  );

  it("a traded market stays known forever", async () => {
    clock.advance(60 * MINUTE_MS);
    const { short } = markets;
    await expectRefusal({ code: "MARKET_CLOSED", message: short.closesAt.toISOString() }, () =>
      post(orderFor(short)),
    );
  });
});
