import "server-only";
import type { orderToJsonV2, TickSize } from "@polymarket/clob-client-v2";
import { env } from "@/lib/env";
import type { OrderAmounts } from "@/lib/polymarket/amounts";
import type { OrderStruct } from "@/lib/polymarket/order-hash";
import { formatMicro } from "@/lib/units";
import type { OrderDraft } from "@/lib/venue/polymarket/draft";
import type { SignedOrder } from "@/lib/venue/port";

let loaded: Promise<typeof import("@polymarket/clob-client-v2")> | undefined;

/** Loaded with the first order: it brings viem and axios, which paper mode never needs. */
const loadClient = () => (loaded ??= import("@polymarket/clob-client-v2"));

/** Ticks that the client has a rounding rule for. Others are rounded by our rule alone. */
const CLIENT_TICKS = ["0.1", "0.01", "0.005", "0.0025", "0.001", "0.0001"] as const;

/** Any address: what is built here is compared, never sent. */
const NOBODY = "0x0000000000000000000000000000000000000001";
const DRY_SIGNER = {
  getAddress: () => Promise.resolve(NOBODY),
  _signTypedData: () => Promise.resolve("0x"),
};

/**
 * What the official client would sign for an order, in base units; null when it has no rule for the
 * market's tick.
 */
export async function clientAmounts(draft: OrderDraft): Promise<OrderAmounts | null> {
  const { intent, tokenId, market, limit, orderType } = draft;
  const tickSize = CLIENT_TICKS.find((known) => known === formatMicro(market.tick));
  if (tickSize === undefined) return null;
  const { OrderBuilder, OrderType, Side } = await loadClient();
  const builder = new OrderBuilder(DRY_SIGNER, env().POLYGON_CHAIN_ID);
  const options = { tickSize: tickSize satisfies TickSize, negRisk: market.isNegRisk };
  const side = intent.action === "BUY" ? Side.BUY : Side.SELL;
  const price = Number(formatMicro(limit));
  const size = Number(formatMicro(intent.shares ?? intent.amount));
  const built =
    orderType === "FAK"
      ? await builder.buildMarketOrder(
          { tokenID: tokenId, price, amount: size, side, orderType: OrderType.FAK },
          options,
          2,
        )
      : await builder.buildOrder({ tokenID: tokenId, price, size, side }, options, 2);
  return { maker: BigInt(built.makerAmount), taker: BigInt(built.takerAmount) };
}

type ClientOrder = Parameters<typeof orderToJsonV2>[0];

interface Signed {
  struct: OrderStruct;
  signature: string;
  /** The API key that posts it. */
  owner: string;
  orderType: SignedOrder["orderType"];
}

/** The bytes to post, in the official client's own form and key order. */
export async function toWireBody({ struct, signature, owner, orderType }: Signed): Promise<string> {
  const client = await loadClient();
  const side = struct.side === "BUY" ? client.Side.BUY : client.Side.SELL;
  const order: ClientOrder = { ...struct, side, expiration: "0", signature };
  return JSON.stringify(client.orderToJsonV2(order, owner, client.OrderType[orderType]));
}
