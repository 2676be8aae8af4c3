// Trades with types from openapi-typescript and its own fetch client. Compiled and run by
// tests/product/generated-clients.test.ts, beside the client that is generated there.
import createClient from "openapi-fetch";
import type { paths } from "./client";

export async function trade(baseUrl: string, apiKey: string, idempotencyKey: string) {
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
  const { data: list } = await api.GET("/v1/markets", { params: { query: { limit: 5 } } });
  const market = list?.data.markets.find(({ status }) => status === "open");
  if (!market) throw new Error("no market is open");
  const body = {
    tokenId: market.outcomes[0]?.tokenId ?? "",
    action: "BUY",
    orderType: "limit",
    price: Number(market.tickSize),
    shares: Math.max(market.minOrderShares, 200),
    idempotencyKey,
  } as const;
  const { data: preview } = await api.POST("/v1/orders/preview", { body });
  const { data: placed } = await api.POST("/v1/orders", { body });
  const { data: again } = await api.POST("/v1/orders", { body });
  const orderId = placed?.data.orderId ?? "";
  const params = { path: { orderId } };
  const { data: open } = await api.GET("/v1/orders/open", { params: { query: { id: orderId } } });
  const { data: canceled } = await api.DELETE("/v1/orders/{orderId}", { params });
  const { error } = await api.GET("/v1/orders/{orderId}", {
    params: { path: { orderId: "none" } },
  });
  const { data: balance } = await api.GET("/v1/account/balance");
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
