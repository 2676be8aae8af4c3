import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { setAllowance } from "@/tests/support/exchange/allowance";
import { OPERATIONS } from "@/lib/api/operations";
import { successBody } from "@/lib/schemas/envelope";
import { getBalance } from "@/lib/accounts/get-balance";
import { revokeKey } from "@/lib/auth/manage-keys";
import { getOrder } from "@/lib/orders/get-order";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { deposit } from "@/lib/accounts/deposit";
import { resetAccount } from "@/lib/accounts/reset-account";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { microToNumber, usdc } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { cancel, readError, place } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  readQuotes,
  SECOND_MS,
  type TestMarket,
  useExchange,
} from "@/tests/support/api/exchange";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let market: TestMarket;
let user: TestUser;
let other: TestUser;
/** An order of the user with any status. */
let orderId: string;

beforeAll(async () => {
  market = (await loadMarkets((await makeUser()).apiKey)).free;
});

beforeEach(async () => {
  [user, other] = [await makeUser(), await makeUser()];
  // Different amounts, so that the two responses always differ.
  await place(user.apiKey, orderFor(market, { orderType: "market", shares: 20 }));
  await place(other.apiKey, orderFor(market, { orderType: "market", shares: 21 }));
  orderId = (await place(user.apiKey, orderFor(market))).orderId;
  await readAll();
});

interface Read {
  path: string;
  schema: z.ZodType;
  /** The service's response without the cache. */
  ask: () => Promise<unknown>;
}

const reads = (): Read[] => {
  const { principal } = user;
  const { getBalance: balance, listPositions, listOpenOrders: open, getOrder: order } = OPERATIONS;
  return [
    {
      path: "/v1/account/balance",
      schema: balance.response,
      ask: () => getBalance(principal),
    },
    { path: "/v1/positions", schema: listPositions.response, ask: () => getPortfolio(principal) },
    {
      path: "/v1/orders/open",
      schema: open.response,
      ask: () => listOpenOrders(principal, {}),
    },
    {
      path: `/v1/orders/open?market=${market.id}&onlyFirstPage=true`,
      schema: open.response,
      ask: () => listOpenOrders(principal, { market: market.id, onlyFirstPage: "true" }),
    },
    {
      path: `/v1/orders/${orderId}`,
      schema: order.response,
      ask: () => getOrder(principal, orderId),
    },
  ];
};

const get = (path: string, key = user.apiKey) => callApi("GET", path, { key });
const readAll = () => Promise.all(reads().map(({ path }) => get(path)));

/** Asserts that each read equals the uncached response, twice: the second one can be cached. */
async function expectTruth(): Promise<void> {
  for (const { path, schema, ask } of reads()) {
    const told = successBody(schema, await ask());
    expect((await get(path)).text).toBe(told);
    expect((await get(path)).text).toBe(told);
  }
}

/** A price between the house's quotes, where users trade with each other. */
const between = () => {
  const { bid, ask } = readQuotes(market);
  return microToNumber(bid + (ask - bid) / 2n - (((ask - bid) / 2n) % 10_000n));
};

const CHANGES: Record<string, () => Promise<unknown>> = {
  "a resting buy": () => place(user.apiKey, orderFor(market)),
  "a resting sell": () =>
    place(user.apiKey, orderFor(market, { action: "SELL", price: 0.99, shares: 6 })),
  "a market buy": () => place(user.apiKey, orderFor(market, { orderType: "market" })),
  "a market sell": () =>
    place(user.apiKey, orderFor(market, { action: "SELL", orderType: "market", shares: 7 })),
  "a refused order": () =>
    callApi("POST", "/v1/orders", {
      key: user.apiKey,
      body: orderFor(market, { shares: 900_000, price: 0.5 }),
    }),
  "a delayed order": () =>
    place(user.apiKey, orderFor(market), { "x-rehearse": "delayed" }).then(() =>
      clock.advance(4 * SECOND_MS),
    ),
  "a cancel": () => cancel(user.apiKey, orderId),
  "a cancel of everything": () => callApi("DELETE", "/v1/orders", { key: user.apiKey }),
  "a buy that another user fills": async () => {
    const price = between();
    orderId = (await place(user.apiKey, orderFor(market, { price, shares: 6 }))).orderId;
    await expectTruth();
    await place(other.apiKey, orderFor(market, { action: "SELL", price, shares: 6 }));
  },
  "a sale that another user fills in part": async () => {
    const price = between();
    const sale = orderFor(market, { action: "SELL", price, shares: 12 });
    orderId = (await place(user.apiKey, sale)).orderId;
    await expectTruth();
    await place(other.apiKey, orderFor(market, { price, shares: 5 }));
  },
  "a price that another user moves": () =>
    place(other.apiKey, orderFor(market, { price: between(), shares: 5 })),
  "a deposit": () => deposit(user.userId, usdc(5_000_000n)),
  "another allowance": async () => setAllowance(user.userId, 123_456_789n),
  "a new start": () => resetAccount(user.principal, usdc(77_000_000n)),
  "the passing of time": () => Promise.resolve(clock.advance(2 * SECOND_MS)),
};

describe("a cached response", () => {
  it.each(Object.entries(CHANGES))("is not reused after %s", async (_name, change) => {
    await expectTruth();
    await change();
    await expectTruth();
  });

  it("is reused byte for byte with a new request id while nothing has changed", async () => {
    const [first, second] = [await readAll(), await readAll()];
    expect(second.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    const ids = [...first, ...second].map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is not reused for another account", async () => {
    for (const { path } of reads()) {
      const mine = await get(path);
      const others = await get(path, other.apiKey);
      expect(others.text).not.toBe(mine.text);
    }
    expect((await get(`/v1/orders/${orderId}`, other.apiKey)).status).toBe(404);
  });

  it("is not reused for a key that is revoked or lacks the scope", async () => {
    await revokeKey(user.userId, user.principal.keyId);
    for (const { path } of reads()) {
      const refused = await get(path);
      expect(refused.status).toBe(401);
      expect(readError(refused).code).toBe("API_KEY_REVOKED");
    }
  });
});
