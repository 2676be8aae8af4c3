import { AssetType, OrderType, Side } from "@polymarket/clob-client-v2";
import { beforeAll, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  expectCleanBooks,
  preparedDataDir,
  type Product,
  startProduct,
} from "@/tests/support/product/product";
import {
  makeSandboxTrader,
  type SandboxMarket,
  sandboxMarkets,
  type SandboxTrader,
} from "@/tests/support/sandbox/client";

cleanUpAfterwards();

let product: Product;
let host: string;
/** One market of each exchange, with a price far from 0 and 1. */
const markets: Record<"standard" | "negRisk", SandboxMarket[]> = { standard: [], negRisk: [] };

beforeAll(async () => {
  product = await startProduct({ dataDir: preparedDataDir() });
  host = `http://127.0.0.1:${product.port}/sandbox/clob`;
  for (const market of await sandboxMarkets(host)) {
    markets[market.neg_risk ? "negRisk" : "standard"].push(market);
  }
});

const makeTrader = (signatureType: 0 | 1 | 2 | 3 = 0) => makeSandboxTrader(host, signatureType);

const getToken = (kind: "standard" | "negRisk", index = 0): string =>
  markets[kind][index]?.tokens[0]?.token_id ?? "";

const TICK = { tickSize: "0.01" } as const;

async function readRefusal(work: Promise<unknown>): Promise<{ status?: number; message?: string }> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return error as { status?: number; message?: string };
}

const collateral = async ({ client }: SandboxTrader) =>
  (await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).balance;

describe("the official client, unmodified, against the sandbox", () => {
  it("creates an API key and derives it again; a deleted key is rejected", async () => {
    const { client, creds } = await makeTrader();
    expect(await client.deriveApiKey()).toEqual(creds);
    expect(await client.getApiKeys()).toEqual({ apiKeys: [creds.key] });
    await client.deleteApiKey();
    expect(await readRefusal(client.getOpenOrders())).toMatchObject({
      status: 401,
      message: "Unauthorized/Invalid api key",
    });
  });

  it.each([
    [0, "standard"],
    [1, "standard"],
    [2, "negRisk"],
    [3, "standard"],
    [3, "negRisk"],
  ] as const)(
    "places, reads and cancels orders of type %i on the %s exchange",
    async (type, kind) => {
      const trader = await makeTrader(type);
      const { client } = trader;
      const tokenID = getToken(kind);
      expect(await collateral(trader)).toBe("10000000000");
      const placed = await client.createAndPostOrder(
        { tokenID, price: 0.05, size: 20, side: Side.BUY },
        { ...TICK, negRisk: kind === "negRisk" },
        OrderType.GTC,
      );
      expect(placed).toMatchObject({ success: true, errorMsg: "", status: "live" });
      expect(await client.getOrder(placed.orderID)).toMatchObject({
        id: placed.orderID,
        status: "LIVE",
        original_size: "20",
        size_matched: "0",
        price: "0.05",
        order_type: "GTC",
      });
      expect((await client.getOpenOrders()).map(({ id }) => id)).toEqual([placed.orderID]);
      expect(await client.cancelOrder({ orderID: placed.orderID })).toEqual({
        canceled: [placed.orderID],
        not_canceled: {},
      });
      expect(await client.getOpenOrders()).toEqual([]);
      expect(await client.getOrder(placed.orderID)).toMatchObject({ status: "CANCELED" });
    },
  );

  it("buys with FAK and sells with FOK, and trades, shares and money agree", async () => {
    const trader = await makeTrader(3);
    const { client } = trader;
    const tokenID = getToken("standard");
    const bought = await client.createAndPostMarketOrder(
      { tokenID, amount: 25, side: Side.BUY },
      TICK,
      OrderType.FAK,
    );
    expect(bought).toMatchObject({ success: true, status: "matched" });
    const shares = Number(bought.takingAmount);
    const { balance } = await client.getBalanceAllowance({
      asset_type: AssetType.CONDITIONAL,
      token_id: tokenID,
    });
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
    const spent = 10_000_000_000 - Number(await collateral(trader));
    const expected = Number(bought.makingAmount) - Number(sold.takingAmount);
    // The difference is the taker's fees.
    expect(spent / 1_000_000).toBeGreaterThanOrEqual(expected - 0.000_001);
    expect(spent / 1_000_000).toBeLessThan(expected + 2);
  }, 120_000);

  it("accepts a signed order once and rejects changed ones in the venue's words", async () => {
    const trader = await makeTrader(3);
    const { client } = trader;
    const order = await client.createOrder(
      { tokenID: getToken("standard"), price: 0.07, size: 10, side: Side.BUY },
      TICK,
    );
    const placed = await client.postOrder(order, OrderType.GTC);
    const before = await collateral(trader);
    expect((await readRefusal(client.postOrder(order, OrderType.GTC))).message).toBe(
      `order ${placed.orderID} is invalid. Duplicated.`,
    );
    const changed = { ...order, makerAmount: "800000" };
    expect(await readRefusal(client.postOrder(changed, OrderType.GTC))).toMatchObject({
      status: 400,
      message: "invalid signature",
    });
    const { client: other } = await makeTrader(3);
    expect((await readRefusal(other.postOrder(order, OrderType.GTC))).message).toBe(
      "the order signer address has to be the address of the API KEY",
    );
    expect(await collateral(trader)).toBe(before);
    expect(await client.getOpenOrders()).toHaveLength(1);
  });

  it("rejects invalid orders in the venue's words and reserves nothing", async () => {
    const trader = await makeTrader(0);
    const { client } = trader;
    const tokenID = getToken("standard");
    const resting = { tokenID, price: 0.05, size: 20, side: Side.BUY };
    const limit = (change: object, type: OrderType.GTC | OrderType.GTD = OrderType.GTC) =>
      client.createAndPostOrder({ ...resting, ...change }, TICK, type);
    const market = (amount: number, price: number) =>
      client.createAndPostMarketOrder(
        { tokenID, amount, price, side: Side.BUY },
        TICK,
        OrderType.FOK,
      );
    const soon = Math.floor(Date.now() / 1000) + 70;
    const bestAsk = Number((await client.getOrderBook(tokenID)).asks.at(-1)?.price);
    const messages = [
      (await readRefusal(limit({ size: 2 }))).message,
      (await readRefusal(limit({ size: 900_000 }))).message,
      (await readRefusal(limit({ expiration: soon }, OrderType.GTD))).message,
      (await readRefusal(market(9_000, bestAsk))).message,
    ];
    expect(messages).toEqual([
      expect.stringMatching(
        /^order 0x[0-9a-f]{64} is invalid\. Size \(2\) lower than the minimum: 5$/,
      ),
      "not enough balance / allowance: the balance is not enough -> balance: 10000000000, order amount: 45000000000",
      "invalid expiration",
      "order couldn't be fully filled. FOK orders are fully filled or killed.",
    ]);
    expect(await collateral(trader)).toBe("10000000000");
    expect(await client.getOpenOrders()).toEqual([]);
    expect(await client.getTrades()).toEqual([]);
  });

  it("pages through 600 open orders, each exactly once, and cancels them all", async () => {
    const { client } = await makeTrader(0);
    const tokens = [0, 1, 2].map((index) => getToken("standard", index)).filter(Boolean);
    const ids: string[] = [];
    for (let batch = 0; batch < 40; batch += 1) {
      const args = await Promise.all(
        Array.from({ length: 15 }, async (_, leg) => ({
          order: await client.createOrder(
            {
              tokenID: tokens[(batch + leg) % tokens.length] ?? "",
              price: 0.01 + (leg % 5) / 100,
              size: 5,
              side: Side.BUY,
            },
            TICK,
          ),
          orderType: OrderType.GTC as const,
        })),
      );
      const placed = (await client.postOrders(args)) as { orderID: string; errorMsg: string }[];
      expect(placed.map(({ errorMsg }) => errorMsg)).toEqual(Array.from({ length: 15 }, () => ""));
      ids.push(...placed.map(({ orderID }) => orderID));
    }
    const open = await client.getOpenOrders();
    expect(open.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const market = await client.cancelMarketOrders({ asset_id: tokens[0] ?? "" });
    expect(market.canceled.length).toBeGreaterThan(100);
    const all = await client.cancelAll();
    expect(market.canceled.length + all.canceled.length).toBe(600);
    expect(await client.getOpenOrders()).toEqual([]);
  }, 240_000);

  it("shows books with a hash that the client reproduces, and a price history", async () => {
    const { client } = await makeTrader(0);
    const tokenID = getToken("standard");
    const book = await client.getOrderBook(tokenID);
    expect(await client.getOrderBookHash({ ...book })).toBe(book.hash);
    expect(book.bids.length).toBeGreaterThan(2);
    expect(Number(book.bids.at(-1)?.price)).toBeGreaterThan(Number(book.bids[0]?.price));
    expect(Number(book.asks.at(-1)?.price)).toBeLessThan(Number(book.asks[0]?.price));
    const history = (await client.getPricesHistory({
      market: tokenID,
      startTs: Math.floor(Date.now() / 1000) - 3_600,
      endTs: Math.floor(Date.now() / 1000),
      fidelity: 1,
    })) as unknown as { history: { t: number; p: number }[] };
    expect(history.history.length).toBeGreaterThan(4);
  });
});

it("the books agree afterwards", async () => {
  await product.stop();
  await expectCleanBooks({ DATA_DIR: product.dataDir });
});
