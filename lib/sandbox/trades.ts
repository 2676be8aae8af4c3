import "server-only";
import { keccak256, toUtf8Bytes } from "ethers";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  selectFillsOfTrades,
  selectOrdersOf,
  selectWalletFills,
  type WalletFillsFilter,
} from "@/lib/db/queries/sandbox-orders";
import type { FillRow } from "@/lib/db/rows";
import { userIdOf, walletOfUser } from "@/lib/sandbox/accounts";
import { accountsOf } from "@/lib/sandbox/orders";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import { offsetOf, toPage } from "@/lib/sandbox/pages";
import { formatMicro } from "@/lib/units";
import { paperExchange } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

const PAGE_SIZE = 100;
/** How long after the match a trade is on the chain, and how long until nothing can undo it. */
export const MINED_AFTER_MS = 2_000;
export const CONFIRMED_AFTER_MS = 4_000;
/** Who stood on the other side when no user did. */
const HOUSE = "0x0000000000000000000000000000000000000000";

/** `GET /data/trades`: what the caller's orders traded, newest first. */
export async function listWireTrades(caller: SandboxCaller, query: URLSearchParams) {
  const offset = offsetOf(query);
  if (offset === null) return toPage([], 0, PAGE_SIZE);
  const filter: WalletFillsFilter = {
    userIds: accountsNamed(caller, query.get("maker_address")),
    after: instantOf(query, "after"),
    before: instantOf(query, "before"),
    tradeId: query.get("id") ?? undefined,
    marketId: query.get("market") ?? undefined,
    tokenId: query.get("asset_id") ?? undefined,
  };
  const own = await selectWalletFills(await getDb(), filter, { offset, limit: PAGE_SIZE });
  return toPage(await toWireTrades(own), offset, PAGE_SIZE);
}

export type WireTrade = ReturnType<typeof toWireTrade>;

/** The accounts of a caller, or the one of a wallet of its own. */
function accountsNamed(caller: SandboxCaller, wallet: string | null): string[] {
  const own = accountsOf(caller);
  return wallet === null ? own : own.filter((userId) => userId === userIdOf(wallet));
}

function instantOf(query: URLSearchParams, name: string): Date | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,11}$/.test(text)) throw new SandboxError(400, "Invalid trade params payload");
  return new Date(Number(text) * 1000);
}

/** Trades as the owner of one of their fills each sees them. */
export async function toWireTrades(own: readonly FillRow[]): Promise<WireTrade[]> {
  const ids = own.map(({ tradeId }) => tradeId);
  const all = await selectFillsOfTrades(await getDb(), ids);
  const markets = await paperExchange().getMarkets(own.map(({ marketId }) => marketId));
  const keys = await keysOf(own);
  return own.map((fill) =>
    toWireTrade({
      fill,
      other: all.find(({ tradeId, id }) => tradeId === fill.tradeId && id !== fill.id) ?? null,
      market: markets.get(fill.marketId),
      key: keys.get(fill.orderId) ?? "",
    }),
  );
}

/** The API key that placed each fill's order. */
async function keysOf(own: readonly FillRow[]): Promise<Map<string, string>> {
  const userIds = [...new Set(own.map(({ userId }) => userId))];
  const ids = [...new Set(own.map(({ orderId }) => orderId))];
  const rows = await selectOrdersOf(await getDb(), userIds, ids);
  return new Map(rows.map(({ id, keyId }) => [id, keyId ?? ""]));
}

interface Trade {
  fill: FillRow;
  /** The other user's side; null when the house stood there. */
  other: FillRow | null;
  market: Market | undefined;
  key: string;
}

function toWireTrade({ fill, other, market, key }: Trade) {
  const matchedAt = fill.createdAt.getTime();
  const seconds = String(Math.floor(matchedAt / 1000));
  const isTaker = fill.role === "taker";
  const taker = isTaker ? fill : other;
  const maker = isTaker ? other : fill;
  const nameOf = (tokenId: string) =>
    market?.outcomes.find((outcome) => outcome.tokenId === tokenId)?.name ?? "";
  return {
    id: fill.tradeId,
    taker_order_id: taker?.orderId ?? "",
    market: fill.marketId,
    asset_id: (taker ?? fill).tokenId,
    side: (taker ?? fill).action,
    size: formatMicro(fill.shares),
    fee_rate_bps: "0",
    price: formatMicro((taker ?? fill).price),
    ...progressOf(fill.tradeId, matchedAt),
    match_time: seconds,
    last_update: seconds,
    outcome: nameOf((taker ?? fill).tokenId),
    bucket_index: 0,
    owner: key,
    maker_address: walletOf(fill),
    err_msg: null,
    trader_side: isTaker ? "TAKER" : "MAKER",
    maker_orders: [
      {
        order_id: maker?.orderId ?? "",
        owner: isTaker ? "" : key,
        maker_address: maker ? walletOf(maker) : HOUSE,
        matched_amount: formatMicro(fill.shares),
        price: formatMicro((maker ?? fill).price),
        fee_rate_bps: "0",
        asset_id: (maker ?? fill).tokenId,
        outcome: nameOf((maker ?? fill).tokenId),
        side: maker?.action ?? (fill.action === "BUY" ? "SELL" : "BUY"),
      },
    ],
  };
}

const walletOf = ({ userId }: FillRow) => walletOfUser(userId) ?? HOUSE;

/** A trade is matched, then mined, then confirmed; its hash is there from mining on. */
function progressOf(tradeId: string, matchedAt: number) {
  const age = now() - matchedAt;
  if (age < MINED_AFTER_MS) return { status: "TRADE_STATUS_MATCHED", transaction_hash: "" };
  const status = age < CONFIRMED_AFTER_MS ? "TRADE_STATUS_MINED" : "TRADE_STATUS_CONFIRMED";
  return { status, transaction_hash: transactionHashOf(tradeId) };
}

/** The transaction that settled a trade: paper has no chain, so its hash is made from the trade. */
export const transactionHashOf = (tradeId: string): string => keccak256(toUtf8Bytes(tradeId));
