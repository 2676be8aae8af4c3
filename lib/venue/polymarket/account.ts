import "server-only";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { price, shares, usdc } from "@/lib/units";
import { authorize } from "@/lib/venue/polymarket/auth";
import { readJson, UpstreamStatus } from "@/lib/venue/polymarket/http";
import { readAllPages } from "@/lib/venue/polymarket/pages";
import {
  BalanceAllowance,
  WireOrder,
  WireOrderOrNothing,
  WireTrade,
} from "@/lib/venue/polymarket/wire/orders";
import type { RemoteVenue, VenueOrder, VenueTrade } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";
import type { z } from "zod";

const ORDER_PREFIX = "ORDER_STATUS_";
const TRADE_PREFIX = "TRADE_STATUS_";

/** Statuses of orders as the venue spells them, without prefix and in capitals. */
const ORDER_STATUS: Record<string, VenueOrder["status"]> = {
  LIVE: "open",
  DELAYED: "delayed",
  UNMATCHED: "open",
  MATCHED: "matched",
  CANCELED: "canceled",
  CANCELLED: "canceled",
  CANCELED_MARKET_RESOLVED: "canceled",
  SYSTEM_CLEARED: "canceled",
  EXPIRED: "canceled",
  INVALID: "rejected",
};

const TRADE_STATUS: Record<string, VenueTrade["settlement"]> = {
  MATCHED: "matched",
  MATCHED_NOT_BROADCASTED: "matched",
  RETRYING: "matched",
  MINED: "mined",
  CONFIRMED: "confirmed",
  FAILED: "failed",
};

export const findOrder: RemoteVenue["findOrder"] = async (trader, venueOrderId) => {
  const path = `/data/order/${venueOrderId}`;
  try {
    const request = authorize(trader, { service: "clob", method: "GET", path });
    const found = await readJson(request, WireOrderOrNothing, timeoutMs());
    if (found === null || found === "") return null;
    if (found.id.toLowerCase() === venueOrderId) return toVenueOrder(found);
    throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue answered with another order");
  } catch (error) {
    if (error instanceof UpstreamStatus && error.upstreamStatus === 404) return null;
    throw error;
  }
};

export const listOpenOrders: RemoteVenue["listOpenOrders"] = async (trader) =>
  (await readAllPages(trader, "/data/orders", {}, WireOrder)).map(toVenueOrder);

export const listTrades: RemoteVenue["listTrades"] = async (trader, since) => {
  const after = String(Math.max(0, Math.floor(since / 1_000)));
  const found = await readAllPages(trader, "/data/trades", { after }, WireTrade);
  return found.flatMap((trade) => ownParts(trader, trade));
};

export const getTrades: RemoteVenue["getTrades"] = async (trader, ids) => {
  const lists = await Promise.all(
    [...new Set(ids)].map((id) => readAllPages(trader, "/data/trades", { id }, WireTrade)),
  );
  const wanted = new Set(ids);
  return lists
    .flat()
    .filter(({ id }) => wanted.has(id))
    .flatMap((trade) => ownParts(trader, trade));
};

export const getCash: RemoteVenue["getCash"] = async (trader) => {
  const request = authorize(trader, {
    service: "clob",
    method: "GET",
    path: "/balance-allowance",
    query: { asset_type: "COLLATERAL", signature_type: String(trader.signatureType) },
  });
  const { balance, allowances } = await readJson(request, BalanceAllowance, timeoutMs());
  // An order needs the approval of its market's exchange: the least of them holds for every market.
  const approved = Object.values(allowances ?? {}).map(BigInt);
  const allowance = approved.reduce<bigint | null>(
    (least, each) => (least === null || each < least ? each : least),
    null,
  );
  return { balance: usdc(BigInt(balance)), allowance };
};

/** Somebody may be waiting for the order that is looked up. */
const timeoutMs = () => env().SUBMIT_ATTEMPT_TIMEOUT_MS;

function toVenueOrder(order: z.output<typeof WireOrder>): VenueOrder {
  const name = order.status.toUpperCase().replace(ORDER_PREFIX, "");
  const status = ORDER_STATUS[name];
  if (status === undefined) {
    throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue told an order status that is not known");
  }
  return {
    venueOrderId: order.id.toLowerCase(),
    status,
    matchedShares: shares(order.size_matched),
    tradeIds: order.associate_trades ?? [],
  };
}

/** The trader's own orders in a trade: the taker's, or some of the makers'. */
function ownParts(
  { credentials, funderAddress }: Trader,
  trade: z.output<typeof WireTrade>,
): VenueTrade[] {
  const name = trade.status.toUpperCase().replace(TRADE_PREFIX, "");
  const settlement = TRADE_STATUS[name];
  if (settlement === undefined) {
    throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue told a trade status that is not known");
  }
  const common = {
    tradeId: trade.id,
    settlement,
    transactionHash: trade.transaction_hash || null,
    matchedAt: (trade.match_time ?? 0) * 1_000,
  };
  const parts: VenueTrade[] = [];
  if (trade.trader_side?.toUpperCase() !== "MAKER") {
    parts.push({
      ...common,
      venueOrderId: trade.taker_order_id.toLowerCase(),
      role: "taker",
      price: price(trade.price),
      shares: shares(trade.size),
    });
  }
  const isOwn = (part: {
    owner?: string | null | undefined;
    maker_address?: string | null | undefined;
  }) =>
    (part.owner !== null && part.owner !== undefined && part.owner === credentials?.key) ||
    part.maker_address?.toLowerCase() === funderAddress.toLowerCase();
  for (const part of (trade.maker_orders ?? []).filter(isOwn)) {
    parts.push({
      ...common,
      venueOrderId: part.order_id.toLowerCase(),
      role: "maker",
      price: price(part.price),
      shares: shares(part.matched_amount),
    });
  }
  return parts;
}
