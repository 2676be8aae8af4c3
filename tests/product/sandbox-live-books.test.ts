// The sandbox of a service whose paper markets use live books. The official client's orders are matched
// against another venue's quotes, here those of a second service's sandbox.
import { AssetType, type ClobClient, OrderType, Side } from "@polymarket/clob-client-v2";
import { beforeAll, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  expectCleanBooks,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  startProduct,
  until,
} from "@/tests/support/product/product";
import {
  makeSandboxTrader,
  type SandboxMarket,
  sandboxMarkets,
} from "@/tests/support/sandbox/client";

cleanUpAfterwards();

const TICK = { tickSize: "0.01" } as const;

let venue: Product;
let product: Product;
let host = "";
let venueHost = "";
let markets: SandboxMarket[] = [];
const toMarket = (isNegRisk: boolean) => markets.find(({ neg_risk }) => neg_risk === isNegRisk);
const getToken = (isNegRisk: boolean) => toMarket(isNegRisk)?.tokens[0]?.token_id ?? "";

beforeAll(async () => {
  venue = await startProduct({ dataDir: preparedDataDir(), env: NO_LIMITS });
  const sandbox = `http://127.0.0.1:${venue.port}/sandbox`;
  venueHost = `${sandbox}/clob`;
  const env = {
    ...NO_LIMITS,
    MARKET_DATA: "polymarket",
    CLOB_API_URL: venueHost,
    GAMMA_API_URL: `${sandbox}/gamma`,
    DATA_API_URL: `${sandbox}/data`,
  };
  product = await startProduct({ dataDir: preparedDataDir(), env });
  host = `http://127.0.0.1:${product.port}/sandbox/clob`;
  // The first read of the other venue can take longer than the timeout.
  markets = await until("the markets are listed", () => sandboxMarkets(host).catch(() => null));
});

const collateral = async (client: ClobClient) =>
  Number((await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).balance);

describe("the sandbox on live books", () => {
  it("lists the other venue's markets with their tokens, ticks and rules", async () => {
    const theirs = new Map((await sandboxMarkets(venueHost)).map((one) => [one.condition_id, one]));
    const both = markets.filter(({ condition_id }) => theirs.has(condition_id));
    expect(both.length).toBeGreaterThan(2);
    for (const market of both) {
      const their = theirs.get(market.condition_id);
      expect(market.tokens.map(({ token_id }) => token_id)).toEqual(
        their?.tokens.map(({ token_id }) => token_id),
      );
      expect([market.minimum_tick_size, market.neg_risk]).toEqual([0.01, their?.neg_risk]);
    }
  });

  it.each([
    [0, false],
    [1, false],
    [2, true],
    [3, false],
    [3, true],
  ] as const)(
    "takes and cancels an order of type %i (negative risk: %s)",
    async (type, negRisk) => {
      const { client } = await makeSandboxTrader(host, type);
      const placed = await client.createAndPostOrder(
        { tokenID: getToken(negRisk), price: 0.05, size: 20, side: Side.BUY },
        { ...TICK, negRisk },
        OrderType.GTC,
      );
      expect(placed).toMatchObject({ success: true, errorMsg: "", status: "live" });
      expect((await client.getOpenOrders()).map(({ id }) => id)).toEqual([placed.orderID]);
      const canceled = await client.cancelOrder({ orderID: placed.orderID });
      expect(canceled).toEqual({ canceled: [placed.orderID], not_canceled: {} });
      expect(await client.getOpenOrders()).toEqual([]);
    },
  );

  it("fills at the other venue's quotes and removes them from its own book only", async () => {
    const { client } = await makeSandboxTrader(host, 3);
    const { client: there } = await makeSandboxTrader(venueHost, 3);
    const tokenID = getToken(false);
    const before = await there.getOrderBook(tokenID);
    const bought = await client.createAndPostMarketOrder(
      { tokenID, amount: 25, side: Side.BUY },
      TICK,
      OrderType.FAK,
    );
    expect(bought).toMatchObject({ success: true, status: "matched" });
    const paid = Number(bought.makingAmount) / Number(bought.takingAmount);
    const asks = before.asks.map(({ price }) => Number(price));
    expect(paid).toBeGreaterThanOrEqual(Math.min(...asks) - 0.02);
    expect(paid).toBeLessThanOrEqual(Math.min(...asks) + 0.05);
    expect(await there.getTrades()).toEqual([]);
    const shares = Number(bought.takingAmount);
    const held = { asset_type: AssetType.CONDITIONAL, token_id: tokenID };
    const { balance } = await client.getBalanceAllowance(held);
    expect(Number(balance)).toBe(Math.round(shares * 1_000_000));
    const sold = await client.createAndPostMarketOrder(
      { tokenID, amount: 5, side: Side.SELL },
      TICK,
      OrderType.FOK,
    );
    expect(sold).toMatchObject({ success: true, status: "matched", makingAmount: "5" });
    const trades = await client.getTrades();
    expect(trades.map(({ taker_order_id }) => taker_order_id)).toEqual(
      expect.arrayContaining([bought.orderID, sold.orderID]),
    );
    const spent = (10_000_000_000 - (await collateral(client))) / 1_000_000;
    const traded = Number(bought.makingAmount) - Number(sold.takingAmount);
    expect(spent).toBeGreaterThanOrEqual(traded - 0.000_001);
    expect(spent).toBeLessThan(traded + 2);
  });

  it("matches two wallets with each other inside the spread", async () => {
    const [maker, taker] = [await makeSandboxTrader(host, 3), await makeSandboxTrader(host, 0)];
    const tokenID = getToken(false);
    const { asks, bids } = await maker.client.getOrderBook(tokenID);
    const [bid, ask] = [Number(bids.at(-1)?.price), Number(asks.at(-1)?.price)];
    // At the same price a user has priority over the other venue's quotes.
    const price = ask - bid > 0.015 ? Math.round((ask - 0.01) * 100) / 100 : bid;
    const order = { tokenID, price, size: 10 };
    const rested = await maker.client.createAndPostOrder({ ...order, side: Side.BUY }, TICK);
    expect(rested).toMatchObject({ status: "live" });
    await taker.client.createAndPostMarketOrder(
      { tokenID, amount: 20, side: Side.BUY },
      TICK,
      OrderType.FAK,
    );
    const sold = await taker.client.createAndPostOrder({ ...order, side: Side.SELL }, TICK);
    expect(sold).toMatchObject({ status: "matched" });
    expect(await maker.client.getOrder(rested.orderID)).toMatchObject({ size_matched: "10" });
  });

  it("shows books with a hash that the client reproduces, prices and a history", async () => {
    const { client } = await makeSandboxTrader(host);
    const tokenID = getToken(false);
    const book = await client.getOrderBook(tokenID);
    expect(await client.getOrderBookHash({ ...book })).toBe(book.hash);
    expect(book.bids.length).toBeGreaterThan(2);
    const middle = (await client.getMidpoint(tokenID)) as { mid: string };
    const { client: there } = await makeSandboxTrader(venueHost);
    const theirs = (await there.getMidpoint(tokenID)) as { mid: string };
    expect(Math.abs(Number(middle.mid) - Number(theirs.mid))).toBeLessThanOrEqual(0.03);
    const now = Math.floor(Date.now() / 1000);
    const asked = { market: tokenID, startTs: now - 3_600, endTs: now, fidelity: 10 };
    const answer = (await client.getPricesHistory(asked)) as unknown as { history: unknown[] };
    expect(answer.history.length).toBeGreaterThan(4);
  });

  it("rejects orders in Polymarket's words and reserves nothing while there are no quotes", async () => {
    const { client } = await makeSandboxTrader(host, 3);
    const before = await collateral(client);
    await venue.crash();
    const order = { tokenID: getToken(false), price: 0.05, size: 20, side: Side.BUY };
    // A book that was read a moment ago may still be used.
    const refused = await until("nothing is quoted", async () => {
      const answer: unknown = await client
        .createAndPostOrder(order, { ...TICK, negRisk: false })
        .catch((error: unknown) => error);
      if (answer instanceof Error) return answer;
      await client.cancelAll();
      return null;
    });
    expect(refused).toMatchObject({ status: 425, message: "service not ready" });
    const read: unknown = await client.getOrderBook(order.tokenID).catch((error: unknown) => error);
    expect(read).toMatchObject({ status: 503 });
    expect(await client.getOpenOrders()).toEqual([]);
    expect(await collateral(client)).toBe(before);
  });
});

it("the books agree afterwards", async () => {
  await product.stop();
  await expectCleanBooks({ DATA_DIR: product.dataDir });
});
