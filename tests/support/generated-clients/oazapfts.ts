// Trades with the functions that oazapfts makes. Compiled and run by
// tests/product/generated-clients.test.ts, beside the client that is generated there.
import * as api from "./client";

export async function trade(baseUrl: string, apiKey: string, idempotencyKey: string) {
  Object.assign(api.defaults, { baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
  const list = await api.listMarkets({ limit: 5 });
  if (list.status !== 200) throw new Error(list.data.error.code);
  const market = list.data.data.markets.find(({ status }) => status === "open");
  if (!market) throw new Error("no market is open");
  const body: api.PlaceOrder = {
    tokenId: market.outcomes[0]?.tokenId ?? "",
    action: "BUY",
    orderType: "limit",
    price: Number(market.tickSize),
    shares: Math.max(market.minOrderShares, 200),
    idempotencyKey,
  };
  const preview = await api.previewOrder(body);
  const placed = await api.placeOrder(body);
  const again = await api.placeOrder(body);
  if (preview.status !== 200 || placed.status !== 200 || again.status !== 200)
    throw new Error("the order was refused");
  const { orderId } = placed.data.data;
  const open = await api.listOpenOrders({ id: orderId });
  const canceled = await api.cancelOrder(orderId);
  const failed = await api.getOrder("none");
  const balance = await api.getBalance();
  return {
    refusal: preview.data.data.refusal?.code ?? null,
    orderId,
    replayedId: again.data.data.orderId,
    openIds: open.status === 200 ? open.data.data.orders.map(({ id }) => id) : [],
    status: canceled.status === 200 ? canceled.data.data.status : null,
    failure: failed.status === 404 ? failed.data.error.code : null,
    balanceUsdc: balance.status === 200 ? balance.data.data.balanceUsdc : null,
  };
}
