// Trades with the functions that @hey-api/openapi-ts makes. Compiled and run by
// tests/product/generated-clients.test.ts, beside the client that is generated there.
import * as api from "./client";
import { client } from "./client/client.gen";

export async function trade(baseUrl: string, apiKey: string, idempotencyKey: string) {
  client.setConfig({ baseUrl, auth: apiKey });
  const { data: list } = await api.listMarkets({ query: { limit: 5 } });
  const market = list?.data.markets.find(({ status }) => status === "open");
  if (!market) throw new Error("no market is open");
  const body: api.PlaceOrder = {
    tokenId: market.outcomes[0]?.tokenId ?? "",
    action: "BUY",
    orderType: "limit",
    price: Number(market.tickSize),
    shares: Math.max(market.minOrderShares, 200),
    idempotencyKey,
  };
  const { data: preview } = await api.previewOrder({ body });
  const { data: placed } = await api.placeOrder({ body });
  const { data: again } = await api.placeOrder({ body });
  const orderId = placed?.data.orderId ?? "";
  const { data: open } = await api.listOpenOrders({ query: { id: orderId } });
  const { data: canceled } = await api.cancelOrder({ path: { orderId } });
  const { error } = await api.getOrder({ path: { orderId: "none" } });
  const { data: balance } = await api.getBalance();
  return {
    refusal: preview?.data.refusal?.code ?? null,
    orderId,
    replayedId: again?.data.orderId,
    openIds: open?.data.orders.map(({ id }) => id),
    status: canceled?.data.status,
    failure: error?.error.code,
    balanceUsdc: balance?.data.balanceUsdc,
  };
}
