import "server-only";
import { keccak256, toUtf8Bytes } from "ethers";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  selectFillsOfTrades,
  selectOrdersOfWallet,
  selectWalletFills,
  type WalletFillsFilter,
} from "@/lib/db/queries/sandbox-orders";
import type { FillRow } from "@/lib/db/rows";
import { assert } from "@/lib/errors";
import { listAccountIds, parseWallet, toUserId } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import { readClobOffset, toClobPage } from "@/lib/sandbox/pages";
import { complement, divide, formatMicro, type Price, price, sum } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

const PAGE_SIZE = 100;
/** How long after the match a trade counts as mined, and as confirmed. */
export const MINED_AFTER_MS = 2_000;
export const CONFIRMED_AFTER_MS = 4_000;
/** The address of the house, the counterparty when no user is. */
const HOUSE = "0x0000000000000000000000000000000000000000";

/** Serves `GET /data/trades`: the trades of the caller's orders, newest first. */
export async function listWireTrades(caller: SandboxCaller, query: URLSearchParams) {
  const offset = readClobOffset(query);
  if (offset === null) return toClobPage([], 0, PAGE_SIZE);
  const filter: WalletFillsFilter = {
    userIds: await selectAccounts(caller, query.get("maker_address")),
    keyOwner: caller.owner,
    after: readInstant(query, "after"),
    before: readInstant(query, "before"),
    tradeId: query.get("id") ?? undefined,
    marketId: query.get("market") ?? undefined,
    tokenId: query.get("asset_id") ?? undefined,
  };
  const own = await selectWalletFills(await getDb(), filter, { offset, limit: PAGE_SIZE });
  return toClobPage(await toWireTrades(own), offset, PAGE_SIZE);
}

export type WireTrade = ReturnType<typeof toWireTrade>;

/** Selects all accounts of a caller, or only the account of a named wallet of its own. */
async function selectAccounts(caller: SandboxCaller, wallet: string | null): Promise<string[]> {
  const own = await listAccountIds(caller);
  return wallet === null ? own : own.filter((userId) => userId === toUserId(wallet));
}

function readInstant(query: URLSearchParams, name: string): Date | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,11}$/.test(text)) throw new SandboxError(400, "Invalid trade params payload");
  return new Date(Number(text) * 1000);
}

/** Renders trades from the view of the owner of each fill. */
export async function toWireTrades(own: readonly FillRow[]): Promise<WireTrade[]> {
  const all = await selectFillsOfTrades(await getDb(), own);
  const matches = groupMatches(all);
  const markets = await paperExchange().getMarkets(own.map(({ marketId }) => marketId));
  const userIds = new Set(own.map(({ userId }) => userId));
  const keys = await readOrderKeys(all.filter(({ userId }) => userIds.has(userId)));
  return own.map((fill) => {
    const match = matches.get(fill.tradeId);
    assert(match, "a fill is part of a match");
    return toWireTrade({ fill, match, market: markets.get(fill.marketId), keys });
  });
}

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
}

/** One party's trade, in the terms of its own token. */
type Side = Pick<FillRow, "tokenId" | "action" | "price" | "shares">;

function toWireTrade({ fill, match, market, keys }: Trade) {
  const matchedAt = fill.createdAt.getTime();
  const seconds = String(Math.floor(matchedAt / 1000));
  const isTaker = fill.role === "taker";
  const taking = match.sides.map(
    ({ taker, maker }) => taker ?? toCounterparty(maker ?? fill, market),
  );
  const [head = fill] = taking;
  const findName = (tokenId: string) =>
    market?.outcomes.find((outcome) => outcome.tokenId === tokenId)?.name ?? "";
  return {
    id: match.id,
    taker_order_id: match.sides[0]?.taker?.orderId ?? "",
    market: fill.marketId,
    asset_id: head.tokenId,
    side: head.action,
    size: formatMicro(sum(taking.map(({ shares }) => shares))),
    fee_rate_bps: "0",
    price: formatMicro(computeAveragePrice(taking, market?.tick ?? price(1n))),
    ...computeProgress(match.id, matchedAt),
    match_time: seconds,
    match_time_nano: `${matchedAt}000000`,
    last_update: seconds,
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

/** A trade is matched, then mined, then confirmed. It has a hash from mining on. */
function computeProgress(tradeId: string, matchedAt: number) {
  const age = now() - matchedAt;
  if (age < MINED_AFTER_MS) return { status: "TRADE_STATUS_MATCHED", transaction_hash: "" };
  const status = age < CONFIRMED_AFTER_MS ? "TRADE_STATUS_MINED" : "TRADE_STATUS_CONFIRMED";
  return { status, transaction_hash: computeTransactionHash(tradeId) };
}

/** Returns the hash of a trade's transaction. Paper has no chain, so it is a hash of the trade's id. */
export const computeTransactionHash = (tradeId: string): string => keccak256(toUtf8Bytes(tradeId));
