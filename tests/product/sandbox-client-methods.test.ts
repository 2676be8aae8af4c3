import { AssetType, Chain, ClobClient, OrderType, Side } from "@polymarket/clob-client-v2";
import { beforeAll, expect, it } from "vitest";
import {
  cleanUpAfterwards,
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
let market: SandboxMarket;
let trader: SandboxTrader;

beforeAll(async () => {
  product = await startProduct({ dataDir: preparedDataDir() });
  host = `http://127.0.0.1:${product.port}/sandbox/clob`;
  const [first] = await sandboxMarkets(host);
  if (!first) throw new Error("no market is open");
  market = first;
  trader = await makeSandboxTrader(host, 3);
});

/** Methods that make no request, or only through other methods. */
const LOCAL = `constructor canL1Auth canL2Auth isBuilderOrder throwIfError get post del
  getOrderBookHash adjustBuyAmountForBalance getFeeExponent getBuilderTakerFeeRate
  createExchangeV3OrderFromAmounts waitForResolvedTrades resolveTransactionsHashes resolveVersion
  ensureBuilderFeeRateCached`.split(/\s+/);

/** The methods whose endpoints the sandbox lacks: the list of docs/sandbox.md. */
const MISSING = [
  "createReadonlyApiKey",
  "deleteReadonlyApiKey",
  "getBuilderTrades",
  "getReadonlyApiKeys",
];

/** One call of every method that asks the server, in an order in which each can succeed. */
function listCalls(): Record<string, () => Promise<unknown>> {
  const { client } = trader;
  const conditionId = market.condition_id;
  const tokenID = market.tokens[0]?.token_id ?? "";
  const rules = { tickSize: "0.01", negRisk: market.neg_risk } as const;
  const resting = { tokenID, price: 0.05, size: 20, side: Side.BUY };
  const taking = { tokenID, amount: 10, side: Side.BUY };
  const both = [{ token_id: tokenID, side: Side.BUY }];
  const day = "2026-11-21";
  const create = () => client.createOrder(resting, rules);
  const post = async () => (await client.postOrder(await create(), OrderType.GTC)).orderID;
  return {
    getOk: () => client.getOk(),
    getVersion: () => client.getVersion(),
    getServerTime: () => client.getServerTime(),
    getSamplingSimplifiedMarkets: () => client.getSamplingSimplifiedMarkets(),
    getSamplingMarkets: () => client.getSamplingMarkets(),
    getSimplifiedMarkets: () => client.getSimplifiedMarkets(),
    getMarkets: () => client.getMarkets(),
    getMarket: () => client.getMarket(conditionId),
    getClobMarketInfo: () => client.getClobMarketInfo(conditionId),
    getOrderBook: () => client.getOrderBook(tokenID),
    getOrderBooks: () => client.getOrderBooks(both),
    getTickSize: () => client.getTickSize(tokenID),
    getNegRisk: () => client.getNegRisk(tokenID),
    getFeeRateBps: () => client.getFeeRateBps(tokenID),
    getMidpoint: () => client.getMidpoint(tokenID),
    getMidpoints: () => client.getMidpoints(both),
    getPrice: () => client.getPrice(tokenID, Side.BUY),
    getPrices: () => client.getPrices(both),
    getSpread: () => client.getSpread(tokenID),
    getSpreads: () => client.getSpreads(both),
    getLastTradePrice: () => client.getLastTradePrice(tokenID),
    getLastTradesPrices: () => client.getLastTradesPrices(both),
    getPricesHistory: () => client.getPricesHistory({ market: tokenID, startTs: 1, endTs: 2 }),
    calculateMarketPrice: () => client.calculateMarketPrice(tokenID, Side.BUY, 10, OrderType.FOK),
    deriveApiKey: () => client.deriveApiKey(),
    getApiKeys: () => client.getApiKeys(),
    getClosedOnlyMode: () => client.getClosedOnlyMode(),
    createReadonlyApiKey: () => client.createReadonlyApiKey(),
    getReadonlyApiKeys: () => client.getReadonlyApiKeys(),
    deleteReadonlyApiKey: () => client.deleteReadonlyApiKey("key"),
    createBuilderApiKey: () => client.createBuilderApiKey(),
    getBuilderApiKeys: () => client.getBuilderApiKeys(),
    revokeBuilderApiKey: () => client.revokeBuilderApiKey(),
    createOrder: create,
    createMarketOrder: () => client.createMarketOrder(taking, rules),
    postOrder: post,
    postOrders: async () => {
      const order = await create();
      return client.postOrders([{ order, orderType: OrderType.GTC }]);
    },
    createAndPostOrder: () => client.createAndPostOrder(resting, rules, OrderType.GTC),
    createAndPostMarketOrder: () => client.createAndPostMarketOrder(taking, rules, OrderType.FAK),
    getOrder: async () => client.getOrder(await post()),
    getOpenOrders: () => client.getOpenOrders(),
    getPreMigrationOrders: () => client.getPreMigrationOrders(),
    getTrades: () => client.getTrades(),
    getTradesPaginated: () => client.getTradesPaginated(),
    getBuilderTrades: () => client.getBuilderTrades({ builder_code: `0x${"1".repeat(64)}` }),
    getMarketTradesEvents: () => client.getMarketTradesEvents(conditionId),
    getNotifications: () => client.getNotifications(),
    dropNotifications: () => client.dropNotifications({ ids: ["1"] }),
    getBalanceAllowance: () => client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL }),
    updateBalanceAllowance: () =>
      client.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL }),
    isOrderScoring: async () => client.isOrderScoring({ order_id: await post() }),
    areOrdersScoring: async () => client.areOrdersScoring({ orderIds: [await post()] }),
    getEarningsForUserForDay: () => client.getEarningsForUserForDay(day),
    getTotalEarningsForUserForDay: () => client.getTotalEarningsForUserForDay(day),
    getUserEarningsAndMarketsConfig: () => client.getUserEarningsAndMarketsConfig(day),
    getRewardPercentages: () => client.getRewardPercentages(),
    getCurrentRewards: () => client.getCurrentRewards(),
    getRawRewardsForMarket: () => client.getRawRewardsForMarket(conditionId),
    cancelOrder: async () => client.cancelOrder({ orderID: await post() }),
    cancelOrders: async () => client.cancelOrders([await post()]),
    cancelMarketOrders: () => client.cancelMarketOrders({ market: conditionId }),
    cancelAll: () => client.cancelAll(),
    postHeartbeat: () => client.postHeartbeat(),
    createOrDeriveApiKey: () => createOrDerive(),
    deleteApiKey: () => client.deleteApiKey(),
    createApiKey: () => client.createApiKey(),
  };
}

/** A client that throws rejects where it should derive (polymarket.md 10.3). */
async function createOrDerive(): Promise<unknown> {
  const { creds } = trader;
  const { signer } = trader.client as unknown as { signer: never };
  const quiet = new ClobClient({ host, chain: Chain.POLYGON, signer });
  expect(await quiet.createOrDeriveApiKey()).toEqual(creds);
  return creds;
}

it("calls every method of the official client; the missing ones are those of the document", async () => {
  const methods = Object.getOwnPropertyNames(ClobClient.prototype);
  const asking = methods.filter((name) => !name.startsWith("_") && !LOCAL.includes(name));
  const calls = listCalls();
  expect(Object.keys(calls).toSorted()).toEqual(asking.toSorted());
  const failed: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) {
    await call().catch((error: unknown) => {
      failed[name] = error instanceof Error ? error.message : String(error);
    });
  }
  expect(failed).toEqual(Object.fromEntries(MISSING.map((name) => [name, "not found"])));
}, 120_000);
