import "server-only";
import type { Action } from "@/lib/domain/settlement";
import { sumShares, type TradePart } from "@/lib/domain/trade-parts";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { complement, ONE, price, shares, usdc } from "@/lib/units";
import { authorize } from "@/lib/polymarket/auth";
import { readJson, UpstreamStatus } from "@/lib/polymarket/http";
import {
  BalanceAllowance,
  WireOrder,
  WireOrderOrNothing,
  WireTrade,
  pageSchema,
} from "@/lib/polymarket/wire/orders";
import type { RemoteVenue, VenueOrder, VenueTrade } from "@/lib/venue/port";
import { chooseExchange, type ExchangeName } from "@/lib/domain/protocol";
import type { Trader } from "@/lib/venue/trader";
import { z } from "zod";

const ORDER_PREFIX = "ORDER_STATUS_";
const TRADE_PREFIX = "TRADE_STATUS_";

/** Order statuses of the venue, without prefix and in upper case. */
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
    throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue returned another order.");
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
  return found.flatMap((trade) => extractOwnTrades(trader, trade));
};

export const getTrades: RemoteVenue["getTrades"] = async (trader, ids) => {
  const lists = await Promise.all(
    [...new Set(ids)].map((id) => readAllPages(trader, "/data/trades", { id }, WireTrade)),
  );
  const wanted = new Set(ids);
  return lists
    .flat()
    .filter(({ id }) => wanted.has(id))
    .flatMap((trade) => extractOwnTrades(trader, trade));
};

export const getCash: RemoteVenue["getCash"] = async (trader) => {
  const request = authorize(trader, {
    service: "clob",
    method: "GET",
    path: "/balance-allowance",
    query: { asset_type: "COLLATERAL", signature_type: String(trader.signatureType) },
  });
  const { balance, allowances } = await readJson(request, BalanceAllowance, timeoutMs());
  const readApproval = (exchange: ExchangeName) => readAllowance(allowances, exchange);
  return {
    balance: usdc(BigInt(balance)),
    approvals: {
      ctf: readApproval("ctf"),
      negRisk: readApproval("negRisk"),
      v3: readApproval("v3"),
    },
  };
};

export const getShareAllowance: RemoteVenue["getShareAllowance"] = async (
  trader,
  market,
  tokenId,
) => {
  const asset = { asset_type: ASSET_TYPE[market.protocol], token_id: tokenId };
  const query = { ...asset, signature_type: String(trader.signatureType) };
  const request = { service: "clob", method: "GET", path: "/balance-allowance", query } as const;
  try {
    const answer = await readJson(authorize(trader, request), BalanceAllowance, timeoutMs());
    return readAllowance(answer.allowances, chooseExchange(market));
  } catch (error) {
    if (isUnknownAsset(error)) return null;
    throw error;
  }
};

/** Of the asset type of Protocol V2 it is not sure that every host knows it (polymarket-protocol-v2.md 5). */
const isUnknownAsset = (error: unknown): boolean =>
  error instanceof UpstreamStatus && error.upstreamStatus === 400;

/** Returns the allowance of an exchange; null if the venue does not list it. It also lists its adapters. */
function readAllowance(
  allowances: z.output<typeof BalanceAllowance>["allowances"],
  exchange: ExchangeName,
): bigint | null {
  const { verifyingContract } = getExchangeDomain(env().POLYGON_CHAIN_ID, exchange);
  const [, text] =
    Object.entries(allowances ?? {}).find(
      ([spender]) => spender.toLowerCase() === verifyingContract.toLowerCase(),
    ) ?? [];
  return text === undefined ? null : BigInt(text);
}

const ASSET_TYPE = { v1: "CONDITIONAL", v2: "CONDITIONAL-V2" } as const;

/** The response is empty (polymarket.md 2). A host that doesn't know an asset has nothing to read again. */
export const refreshBalances: RemoteVenue["refreshBalances"] = async (
  trader,
  tokenIds,
  protocol,
) => {
  const assets: Record<string, string>[] = [
    { asset_type: "COLLATERAL" },
    ...tokenIds.map((tokenId) => ({ asset_type: ASSET_TYPE[protocol], token_id: tokenId })),
  ];
  const signatureType = String(trader.signatureType);
  await Promise.all(
    assets.map(async (asset) => {
      const query = { ...asset, signature_type: signatureType };
      const request = {
        service: "clob",
        method: "GET",
        path: "/balance-allowance/update",
      } as const;
      try {
        await readJson(authorize(trader, { ...request, query }), z.unknown(), timeoutMs());
      } catch (error) {
        if (asset["asset_type"] !== ASSET_TYPE.v2 || !isUnknownAsset(error)) throw error;
      }
    }),
  );
};

/** A short timeout, because a request may be waiting for the result. */
const timeoutMs = () => env().SUBMIT_ATTEMPT_TIMEOUT_MS;

function toVenueOrder(order: z.output<typeof WireOrder>): VenueOrder {
  const name = order.status.toUpperCase().replace(ORDER_PREFIX, "");
  const status = ORDER_STATUS[name];
  if (status === undefined) {
    throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue returned an unknown order status.");
  }
  return {
    venueOrderId: order.id.toLowerCase(),
    status,
    matchedShares: shares(order.size_matched),
    tradeIds: order.associate_trades ?? [],
    wallet: order.maker_address?.toLowerCase() ?? null,
    details: toDetails(order),
  };
}

const ORDER_TYPES = ["GTC", "GTD", "FOK", "FAK"] as const;

/** Parses the terms of an order; null if the venue does not report all of them. */
function toDetails(order: z.output<typeof WireOrder>): VenueOrder["details"] {
  const { original_size: size, created_at: createdAt } = order;
  const terms = toTerms(order.market, order.asset_id, order.side);
  const orderType = ORDER_TYPES.find((type) => type === order.order_type?.toUpperCase()) ?? "GTC";
  if (!terms || !size) return null;
  const endsAtOnce = orderType === "FAK" || orderType === "FOK";
  // A market buy is sized in dollars (polymarket.md 2.4).
  const isAmount = endsAtOnce && terms.action === "BUY";
  return {
    ...terms,
    orderType,
    price: order.price ? price(order.price) : null,
    shares: isAmount ? null : shares(size),
    amount: isAmount ? usdc(size) : null,
    createdAt: createdAt ? createdAt * 1_000 : null,
    expiresAt: order.expiration ? order.expiration * 1_000 : null,
  };
}

/** Returns the trader's parts of a trade: the taker's order, or some of the makers' orders. */
export function extractOwnTrades(
  { credentials, funderAddress }: Pick<Trader, "credentials" | "funderAddress">,
  trade: z.output<typeof WireTrade>,
): VenueTrade[] {
  const name = trade.status.toUpperCase().replace(TRADE_PREFIX, "");
  const settlement = TRADE_STATUS[name];
  if (settlement === undefined) {
    throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue returned an unknown trade status.");
  }
  const makers = trade.maker_orders ?? [];
  const common = {
    tradeId: trade.id,
    settlement,
    transactionHash: trade.transaction_hash || null,
    matchedAt: trade.match_time_nano
      ? Number(BigInt(trade.match_time_nano) / 1_000_000n)
      : (trade.match_time ?? 0) * 1_000,
  };
  const trades: VenueTrade[] = [];
  if (trade.trader_side?.toUpperCase() !== "MAKER") {
    const venueOrderId = trade.taker_order_id.toLowerCase();
    trades.push({
      ...common,
      venueOrderId,
      role: "taker",
      parts: toTakerParts(trade, makers),
      wallet: trade.maker_address?.toLowerCase() ?? null,
      terms: toTerms(trade.market, trade.asset_id, trade.side),
    });
  }
  const isOwn = ({ maker_address: address, owner }: WireMaker) =>
    (owner !== null && owner !== undefined && owner === credentials?.key) ||
    address?.toLowerCase() === funderAddress.toLowerCase();
  const own = makers.filter(isOwn);
  // A trade may list one order more than once: every entry counts.
  for (const venueOrderId of new Set(own.map((maker) => maker.order_id.toLowerCase()))) {
    const entries = own.filter((maker) => maker.order_id.toLowerCase() === venueOrderId);
    const [first] = entries;
    trades.push({
      ...common,
      venueOrderId,
      role: "maker",
      parts: entries.map((maker) => ({
        price: price(maker.price),
        shares: shares(maker.matched_amount),
      })),
      wallet: first?.maker_address?.toLowerCase() ?? null,
      terms: toTerms(trade.market, first?.asset_id, first?.side),
    });
  }
  return trades;
}

function toTerms(
  marketId: string | null | undefined,
  tokenId: string | null | undefined,
  action: Action | null | undefined,
): VenueTrade["terms"] {
  return marketId && tokenId && action ? { marketId, tokenId, action } : null;
}

type WireMaker = NonNullable<z.output<typeof WireTrade>["maker_orders"]>[number];

/**
 * Returns the taker's trade with each maker, in prices of the taker's token. The price of a maker of
 * the other token is one minus its own. Empty if the makers do not add up to the trade, or if one has
 * no token.
 */
function toTakerParts(
  { asset_id: token, size }: z.output<typeof WireTrade>,
  makers: readonly WireMaker[],
): TradePart[] {
  const parts: TradePart[] = [];
  for (const maker of makers) {
    const at = price(maker.price);
    if (!token || !maker.asset_id || at > ONE) return [];
    parts.push({
      price: maker.asset_id === token ? at : complement(at),
      shares: shares(maker.matched_amount),
    });
  }
  return sumShares(parts) === size ? parts : [];
}

const FIRST = "MA==";
const END = "LTE=";
const MAX_PAGES = 500;

/**
 * Reads every row of a list of the account. A repeated cursor or an endless list is an error of the
 * venue and throws: orders missing from a partial list would look closed.
 */
async function readAllPages<Row extends z.ZodType>(
  trader: Trader,
  path: string,
  query: Record<string, string>,
  row: Row,
): Promise<z.output<Row>[]> {
  const schema = pageSchema(row);
  const rows: z.output<Row>[] = [];
  const seen = new Set<string>();
  let cursor = FIRST;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    seen.add(cursor);
    const request = authorize(trader, {
      service: "clob",
      method: "GET",
      path,
      query: { ...query, next_cursor: cursor },
    });
    const { data, next_cursor: next } = await readJson(
      request,
      schema,
      env().SUBMIT_ATTEMPT_TIMEOUT_MS,
    );
    rows.push(...data);
    if (next === null || next === undefined || next === "" || next === END) return rows;
    if (seen.has(next)) break;
    cursor = next;
  }
  throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue's list does not end.");
}
