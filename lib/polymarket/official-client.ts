import "server-only";
import type { orderToJsonV2, TickSize } from "@polymarket/clob-client-v2";
import { env } from "@/lib/env";
import type { OrderAmounts } from "@/lib/polymarket/protocol/amounts";
import type { OrderStruct } from "@/lib/polymarket/protocol/order-hash";
import { formatMicro, type Price } from "@/lib/units";
import type { SignedOrder, Market } from "@/lib/venue/port";
import type { OrderIntent } from "@/lib/domain/order-intent";

let loaded: Promise<typeof import("@polymarket/clob-client-v2")> | undefined;

/** Loads the client with the first order: it depends on viem and axios, which paper mode never needs. */
const loadClient = () => (loaded ??= import("@polymarket/clob-client-v2"));

/** Ticks for which the client has a rounding rule. Other ticks are not compared. */
const CLIENT_TICKS = ["0.1", "0.01", "0.005", "0.0025", "0.001", "0.0001"] as const;

/** The client's numbers for orders of domain versions "2" and "3". */
const CLOB_V2 = 2;
const EXCHANGE_V3 = 3;

/** Any address: the built order is compared, never sent. */
const DUMMY_ADDRESS = "0x0000000000000000000000000000000000000001";
const DRY_SIGNER = {
  getAddress: () => Promise.resolve(DUMMY_ADDRESS),
  _signTypedData: () => Promise.resolve("0x"),
};

/**
 * Returns the amounts that the official client would sign, in base units; null if it has no rounding
 * rule for the market's tick.
 */
export async function computeClientAmounts(draft: OrderDraft): Promise<OrderAmounts | null> {
  const { intent, tokenId, market, limit, orderType } = draft;
  const tickSize = CLIENT_TICKS.find((known) => known === formatMicro(market.tick));
  if (tickSize === undefined) return null;
  const { OrderBuilder, OrderType, Side } = await loadClient();
  const builder = new OrderBuilder(DRY_SIGNER, env().POLYGON_CHAIN_ID);
  // The official client must use the market's protocol, not the one that `GET /version` names.
  const version = market.protocol === "v2" ? EXCHANGE_V3 : CLOB_V2;
  const options = { tickSize: tickSize satisfies TickSize, negRisk: market.isNegRisk };
  const side = intent.action === "BUY" ? Side.BUY : Side.SELL;
  const price = Number(formatMicro(limit));
  const size = Number(formatMicro(intent.shares ?? intent.amount));
  const built =
    orderType === "FAK" || orderType === "FOK"
      ? await builder.buildMarketOrder(
          { tokenID: tokenId, price, amount: size, side, orderType: OrderType[orderType] },
          options,
          version,
        )
      : await builder.buildOrder({ tokenID: tokenId, price, size, side }, options, version);
  return { maker: BigInt(built.makerAmount), taker: BigInt(built.takerAmount) };
}

type ClientOrder = Parameters<typeof orderToJsonV2>[0];

interface Signed {
  struct: OrderStruct;
  signature: string;
  /** The API key that posts the order. */
  owner: string;
  orderType: SignedOrder["orderType"];
  /** Unix seconds; "0" is never. */
  expiration: string;
  isPostOnly: boolean;
}

/** Builds the bytes to post, with the official client's fields and key order. */
export async function toWireBody(signed: Signed): Promise<string> {
  const { struct, signature, owner, orderType, expiration, isPostOnly } = signed;
  const client = await loadClient();
  const side = struct.side === "BUY" ? client.Side.BUY : client.Side.SELL;
  const order: ClientOrder = { ...struct, side, expiration, signature };
  const type = client.OrderType[orderType];
  return JSON.stringify(client.orderToJsonV2(order, owner, type, isPostOnly));
}

/** An unsigned order in the venue's terms. */
export interface OrderDraft {
  intent: OrderIntent;
  tokenId: string;
  market: Market;
  /** The limit, or the worst price of a market order. */
  limit: Price;
  orderType: SignedOrder["orderType"];
}
