import "server-only";
import { getDb } from "@/lib/db/client";
import { selectFillsOfTrades, selectOrdersOfWallet } from "@/lib/db/queries/sandbox-orders";
import { type FailedTradeRow, selectSettlements } from "@/lib/db/queries/simulated-settlements";
import type { FillRow } from "@/lib/db/rows";
import type { SimulatedSettlement } from "@/lib/domain/simulated-settlement";
import { assert } from "@/lib/errors";
import { parseWallet } from "@/lib/sandbox/accounts";
import { findStageHash, readStage, type SettlementStage } from "@/lib/sandbox/settlement";
import { averagePrice, complement, divide, formatMicro, type Price, price, sum } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

/** The address of the house, the counterparty when no user is. */
const HOUSE = "0x0000000000000000000000000000000000000000";

export type WireTrade = ReturnType<typeof toWireTrade>;

/** Renders trades from the view of the owner of each fill. */
export async function toWireTrades(own: readonly FillRow[]): Promise<WireTrade[]> {
  const all = await selectFillsOfTrades(await getDb(), own);
  const matches = groupMatches(all);
  const markets = await paperExchange().getMarkets(own.map(({ marketId }) => marketId));
  const userIds = new Set(own.map(({ userId }) => userId));
  const keys = await readOrderKeys(all.filter(({ userId }) => userIds.has(userId)));
  const takers = [...new Set([...matches.values()].flatMap((match) => findTaker(match) ?? []))];
  const settlements = await selectSettlements(await getDb(), takers);
  return own.map((fill) => {
    const match = matches.get(fill.tradeId);
    assert(match, "a fill is part of a match");
    const settlement = settlements.get(findTaker(match) ?? "")?.settlement ?? null;
    return toWireTrade({ fill, match, market: markets.get(fill.marketId), keys, settlement });
  });
}

/** Returns the id of the order that took; null if the house did. */
const findTaker = ({ sides }: Match) => sides[0]?.taker?.orderId ?? null;

/** Maps the exchange's trade ids of fills to the ids of the trades that the venue would report. */
export async function readTradeIds(own: readonly FillRow[]): Promise<Map<string, string>> {
  const matches = groupMatches(await selectFillsOfTrades(await getDb(), own));
  return new Map([...matches].map(([tradeId, { id }]) => [tradeId, id]));
}

/** Reads the API key of each fill's order. */
async function readOrderKeys(own: readonly FillRow[]): Promise<Map<string, string>> {
  const userIds = [...new Set(own.map(({ userId }) => userId))];
  const ids = [...new Set(own.map(({ orderId }) => orderId))];
  const rows = await selectOrdersOfWallet(await getDb(), userIds, ids);
  return new Map(rows.map(({ id, keyId }) => [id, keyId ?? ""]));
}

/** A trade as the venue counts it: everything that one order took at once, or one fill by the house. */
interface Match {
  id: string;
  /** One entry per maker; null for the house. */
  sides: { taker: FillRow | null; maker: FillRow | null }[];
}

/**
 * Groups fills into matches, by the exchange's trade ids. Each of these has one maker; the first one
 * of a match is the match's id.
 *
 * @param all every fill of these matches, in the order of their creation.
 */
function groupMatches(all: readonly FillRow[]): Map<string, Match> {
  const byTrade = new Map<string, Match>();
  const byTaker = new Map<string, Match>();
  for (const { tradeId } of all) {
    if (byTrade.has(tradeId)) continue;
    const sides = all.filter((fill) => fill.tradeId === tradeId);
    const taker = sides.find(({ role }) => role === "taker") ?? null;
    const maker = sides.find(({ role }) => role === "maker") ?? null;
    const key = taker ? `${taker.orderId}/${taker.createdAt.getTime()}` : tradeId;
    const match = byTaker.get(key) ?? { id: tradeId, sides: [] };
    match.sides.push({ taker, maker });
    byTaker.set(key, match);
    byTrade.set(tradeId, match);
  }
  return byTrade;
}

interface Trade {
  /** The account's first fill in this trade. */
  fill: FillRow;
  match: Match;
  market: Market | undefined;
  /** The account's API keys by order id. */
  keys: ReadonlyMap<string, string>;
  settlement: SimulatedSettlement | null;
}

/** One party's trade, in the terms of its own token. */
type Side = Pick<FillRow, "tokenId" | "action" | "price" | "shares">;

function toWireTrade({ fill, match, market, keys, settlement }: Trade) {
  const matchedAt = fill.createdAt.getTime();
  const stage = readStage(settlement, matchedAt);
  const isTaker = fill.role === "taker";
  const taking = match.sides.map(
    ({ taker, maker }) => taker ?? toCounterparty(maker ?? fill, market),
  );
  const [head = fill] = taking;
  const findName = (tokenId: string) =>
    market?.outcomes.find((outcome) => outcome.tokenId === tokenId)?.name ?? "";
  return {
    id: match.id,
    taker_order_id: findTaker(match) ?? "",
    market: fill.marketId,
    asset_id: head.tokenId,
    side: head.action,
    size: formatMicro(sum(taking.map(({ shares }) => shares))),
    fee_rate_bps: "0",
    price: formatMicro(computeAveragePrice(taking, market?.tick ?? price(1n))),
    ...describeStage(match.id, stage),
    match_time: toSeconds(matchedAt),
    match_time_nano: `${matchedAt}000000`,
    last_update: toSeconds(matchedAt + stage.afterMs),
    outcome: findName(head.tokenId),
    bucket_index: 0,
    owner: keys.get(fill.orderId) ?? "",
    maker_address: toWallet(fill),
    err_msg: null,
    trader_side: isTaker ? "TAKER" : "MAKER",
    maker_orders: match.sides.map(({ taker, maker }) => {
      const side = maker ?? toCounterparty(taker ?? fill, market);
      const isOwn = !isTaker && maker?.userId === fill.userId;
      return {
        order_id: maker?.orderId ?? "",
        owner: isOwn ? (keys.get(maker.orderId) ?? "") : "",
        maker_address: maker ? toWallet(maker) : HOUSE,
        matched_amount: formatMicro(side.shares),
        price: formatMicro(side.price),
        fee_rate_bps: "0",
        asset_id: side.tokenId,
        outcome: findName(side.tokenId),
        side: side.action,
      };
    }),
  };
}

/** Derives the house's side of a fill. A mint or merge pairs it with the other token. */
function toCounterparty(fill: FillRow, market: Market | undefined): Side {
  const { tokenId, action, shares } = fill;
  if (fill.settlement === "complementary") {
    return { tokenId, action: action === "BUY" ? "SELL" : "BUY", price: fill.price, shares };
  }
  const other = market?.outcomes.find((outcome) => outcome.tokenId !== tokenId)?.tokenId ?? tokenId;
  return { tokenId: other, action, price: complement(fill.price), shares };
}

/** Rounds the average price to the tick, as the venue reports it, even if makers' prices differ. */
function computeAveragePrice(sides: readonly Side[], tick: Price): Price {
  const size = sum(sides.map(({ shares }) => shares));
  if (size === 0n) return price(0n);
  const paid = sides.reduce((total, side) => total + side.shares * side.price, 0n);
  return price(divide(2n * paid + size * tick, 2n * size * tick, "down") * tick);
}

const toWallet = ({ userId }: FillRow) => parseWallet(userId) ?? HOUSE;

const toSeconds = (ms: number) => String(Math.floor(ms / 1000));

function describeStage(tradeId: string, stage: SettlementStage) {
  return {
    status: `TRADE_STATUS_${stage.status}`,
    transaction_hash: findStageHash(tradeId, stage) ?? "",
  };
}

const FAILED_PREFIX = "trd_failed_";

/** Returns the id of an order's trade that failed to settle. */
export const toFailedTradeId = (orderId: string): string => `${FAILED_PREFIX}${orderId}`;

/** Returns the order of a trade that failed to settle; null for the id of any other trade. */
export function parseFailedTradeId(tradeId: string): string | null {
  return tradeId.startsWith(FAILED_PREFIX) ? tradeId.slice(FAILED_PREFIX.length) : null;
}

/** Renders trades that failed to settle, from the taker's view. The house was the other side. */
export async function toFailedWireTrades(rows: readonly FailedTradeRow[]): Promise<WireTrade[]> {
  const markets = await paperExchange().getMarkets(rows.map(({ order }) => order.marketId));
  return rows.map(({ order, settlement: { settlement, shares, notional } }) => {
    const id = toFailedTradeId(order.id);
    const fill: FillRow = {
      ...order,
      tradeId: id,
      orderId: order.id,
      role: "taker",
      settlement: "complementary",
      price: averagePrice(notional, shares),
      shares,
      notional,
    };
    return toWireTrade({
      fill,
      match: { id, sides: [{ taker: fill, maker: null }] },
      market: markets.get(order.marketId),
      keys: new Map([[order.id, order.keyId ?? ""]]),
      settlement,
    });
  });
}
