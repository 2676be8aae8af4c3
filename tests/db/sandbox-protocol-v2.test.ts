// Markets of Protocol V2 at the sandbox, for the unmodified official client and for plain requests.
import { AssetType, type ClobClient, OrderType, Side } from "@polymarket/clob-client-v2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { computeBookHash } from "@/lib/polymarket/protocol/book-hash";
import { areBookPositionIds, toPositionConditionId } from "@/lib/polymarket/protocol/position-id";
import { answerSandbox } from "@/lib/sandbox/router";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue";
import { getListedMarkets } from "@/lib/exchange/listed-markets";
import { buildMarket, type PaperMarket } from "@/lib/exchange/paper-market";
import { PaperSeed } from "@/lib/exchange/seed";
import { microToNumber, ONE } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { houseBest } from "@/tests/support/exchange/orders";
import type { FaultServer } from "@/tests/support/live/fault-server";
import { makeSandboxTrader } from "@/tests/support/sandbox/client";
import { startSandboxServer } from "@/tests/support/sandbox/server";

useFreshDatabase();

let server: FaultServer;
beforeAll(async () => {
  server = await startSandboxServer();
});
afterAll(() => server.close());

const isNegRisk = ({ protocol, isNegRisk: is }: PaperMarket) => protocol === "v2" && is;
const isBinary = ({ protocol, isNegRisk: is }: PaperMarket) => protocol === "v2" && !is;
const HOUR_MS = 3_600_000;
/** The price of the tests' resting orders, which each market they use must have. */
const LOWEST = 10_000n;
/**
 * Finds the open market nearest to a price of 0.5, by the real clock that the client signs by. Markets
 * with a coarser tick would refuse the orders for their price.
 */
function findMarket(where: (market: PaperMarket) => boolean): PaperMarket {
  const at = Date.now();
  const distance = (one: PaperMarket) =>
    Math.abs(Number(houseBest(one, "bid", at) ?? 0n) - Number(ONE / 2n));
  const [market] = getListedMarkets(at)
    .markets.filter((one) => where(one) && LOWEST % one.tick === 0n)
    .filter(({ opensAt, closesAt }) => opensAt <= at && closesAt > at + HOUR_MS)
    .toSorted((one, other) => distance(one) - distance(other));
  if (!market) throw new Error("the catalogue has an open market of each kind");
  return market;
}
const KINDS = [
  ["binary", isBinary],
  ["neg-risk", isNegRisk],
] as const;

/** The client signs for ExchangeV3 with this version, whatever `GET /version` says. */
const V3 = 3;
type Version = 2 | typeof V3;
const toOptions = ({ tick, isNegRisk: negRisk }: PaperMarket, version: Version = V3) => ({
  tickSize: tick === 1_000n ? ("0.001" as const) : ("0.01" as const),
  negRisk,
  version,
});

/** Builds, signs and posts an order with the client's own functions. */
async function placeLimit(client: ClobClient, market: PaperMarket, version: Version = V3) {
  const order = {
    tokenID: market.outcomes[0].tokenId,
    price: microToNumber(LOWEST),
    size: 10,
    side: Side.BUY,
  };
  return client.postOrder(
    await client.createOrder(order, toOptions(market, version)),
    OrderType.GTC,
  );
}

const get = async (path: string) => {
  const response = await answerSandbox(new Request(`http://localhost/sandbox${path}`));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe.each(KINDS)("a %s market of Protocol V2", (_kind, where) => {
  it.each([0, 1, 2, 3] as const)(
    "takes orders that the unmodified client signs for ExchangeV3 with signature type %i",
    async (type) => {
      const { client } = await makeSandboxTrader(`${server.url}/clob`, type);
      const market = findMarket(where);
      const placed = await placeLimit(client, market);
      expect(placed).toMatchObject({ success: true, status: "live" });
      const [open] = await client.getOpenOrders();
      expect(open).toMatchObject({ id: placed.orderID, market: market.id, status: "LIVE" });
      const bought = await client.postOrder(
        await client.createMarketOrder(
          { tokenID: market.outcomes[1].tokenId, amount: 20, price: 0.99, side: Side.BUY },
          toOptions(market),
        ),
        OrderType.FAK,
      );
      expect(bought).toMatchObject({ success: true, status: "matched" });
      const held = await client.getBalanceAllowance({
        asset_type: "CONDITIONAL-V2" as AssetType,
        token_id: market.outcomes[1].tokenId,
      });
      expect(Number(held.balance)).toBe(Math.round(Number(bought.takingAmount) * 1_000_000));
      expect(Object.keys(held.allowances ?? {})).toContain(
        getExchangeDomain(137, "v3").verifyingContract,
      );
      await client.cancelOrder({ orderID: placed.orderID });
      expect(await client.getOpenOrders()).toEqual([]);
    },
  );

  it("refuses orders that are signed for an exchange of Protocol V1", async () => {
    const { client } = await makeSandboxTrader(`${server.url}/clob`, 3);
    const market = findMarket(where);
    await expect(placeLimit(client, market, 2)).rejects.toThrow("invalid signature");
    expect(await client.getOpenOrders()).toEqual([]);
  });

  it("is listed by Gamma with position ids and a short condition id, and by the CLOB with v2", async () => {
    const market = findMarket(where);
    const positions = market.outcomes.map(({ tokenId }) => tokenId);
    const short = market.id.slice(0, -2);
    for (const query of [
      `slug=${market.slug}`,
      `condition_ids=${market.id}`,
      `condition_ids=${short}`,
      `position_ids=${positions[0]}`,
      `clob_token_ids=${positions[1]}`,
    ]) {
      const { body } = await get(`/gamma/markets?${query}`);
      expect(body, query).toMatchObject([
        {
          version: "v2",
          conditionId: short,
          clobTokenIds: null,
          positionIds: positions,
          resolutionStatus: "active",
        },
      ]);
    }
    const rules = await get(`/clob/clob-markets/${market.id}`);
    expect(rules.body).toMatchObject({ c: market.id, v: "v2", t: positions.map((t) => ({ t })) });
    expect(await get(`/clob/clob-markets/${short}`)).toEqual({
      status: 404,
      body: { error: "market not found" },
    });
    const { body: book } = await get(`/clob/book?token_id=${positions[0]}`);
    expect(book).toMatchObject({ version: "v2", market: market.id });
    expect(computeBookHash(book as never)).toBe(book["hash"]);
  });
});

describe("a market of Protocol V1", () => {
  it("refuses orders that are signed for ExchangeV3, and names no version in its book", async () => {
    const { client } = await makeSandboxTrader(`${server.url}/clob`, 3);
    const market = findMarket(({ protocol }) => protocol === "v1");
    await expect(placeLimit(client, market, V3)).rejects.toThrow("invalid signature");
    const { body } = await get(`/clob/book?token_id=${market.outcomes[0].tokenId}`);
    expect(Object.keys(body)).not.toContain("version");
  });
});

describe("the paper catalogue", () => {
  const seed = new PaperSeed("a seed of this test");
  const build = (protocol: "v1" | "v2", instance: number) =>
    EVENT_TEMPLATES.filter((event) => event.protocol === protocol).flatMap((event) =>
      event.markets.map((template) => buildMarket(seed, event, template, instance)),
    );

  it("has strict position ids in its markets of Protocol V2", () => {
    const markets = [7, 8].flatMap((instance) => build("v2", instance));
    for (const { id, outcomes } of markets) {
      const [first, second] = outcomes;
      expect(areBookPositionIds([first.tokenId, second.tokenId])).toBe(true);
      expect(id).toBe(toPositionConditionId(first.tokenId));
    }
    expect(new Set(markets.map(({ id }) => id)).size).toBe(markets.length);
    expect(new Set(markets.map(({ isNegRisk: is }) => is)).size).toBe(2);
  });

  it("keeps the ids of its markets of Protocol V1, and lists those of V2 last", () => {
    const [market] = build("v1", 20_000);
    // Positions and orders of existing installations refer to these ids.
    expect(market?.slug).toBe("norvale-presidency-20000-ilse-tarrow");
    expect(market?.id).toBe("0x00306d7d66c793bf45827ba3d4980d49155b2b275f74952448f075377e6a2279");
    expect(market?.outcomes[0].tokenId).toBe(
      "8506272237232046401953330952004661443618138083710204644448579173442646425657",
    );
    const protocols = EVENT_TEMPLATES.map(({ protocol }) => protocol);
    expect(protocols.toSorted()).toEqual(protocols);
  });
});
