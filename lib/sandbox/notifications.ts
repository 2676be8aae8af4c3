import "server-only";
import { LRUCache } from "lru-cache";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectAllPositions } from "@/lib/db/queries/sandbox-data";
import {
  type OrderEvent,
  selectFillsById,
  selectWalletEvents,
} from "@/lib/db/queries/sandbox-events";
import { selectOrdersOfWallet } from "@/lib/db/queries/sandbox-orders";
import { selectSettlements } from "@/lib/db/queries/simulated-settlements";
import { selectAccount } from "@/lib/db/queries/users";
import type { FillRow, OrderRow, SettlementRow } from "@/lib/db/rows";
import { findWallet, toUserId } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { readSignatureType } from "@/lib/sandbox/balance";
import { SandboxError } from "@/lib/sandbox/error";
import { toNumericId } from "@/lib/sandbox/gamma";
import { computeTransactionHash } from "@/lib/sandbox/settlement";
import { findFailure } from "@/lib/sandbox/orders";
import { readTradeIds, toFailedTradeId } from "@/lib/sandbox/wire-trades";
import { formatMicro, subtract } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

const RETENTION_MS = 48 * 3_600_000;
const MAX_LISTED = 500;
const MAX_DISMISSED = 10_000;
/** The venue's numbers of the kinds. */
const KIND = { canceled: 1, filled: 2, resolved: 4, fillFailed: 8 } as const;
/** Ids of resolutions start above those of order events. */
const FIRST_RESOLUTION = 1_000_000_000_000;

interface Notification {
  id: number;
  /** The API key of the order; empty for a resolution. */
  owner: string;
  type: (typeof KIND)[keyof typeof KIND];
  payload: Record<string, unknown>;
  /** Seconds. */
  timestamp: number;
}

/** Dismissed ids by account. Only this process knows them. */
const dismissed = new LRUCache<string, true>({
  max: MAX_DISMISSED,
  ttl: RETENTION_MS,
  ttlResolution: 0,
  perf: { now },
});

/** Serves `GET /notifications`: events of a wallet's orders and markets, 48 hours, newest first. */
export async function listNotifications(
  caller: SandboxCaller,
  query: URLSearchParams,
): Promise<Notification[]> {
  const userId = await readUserId(caller, query);
  const since = new Date(now() - RETENTION_MS);
  const found = [
    ...(await listOrderNotifications(userId, since)),
    ...(await listResolutions(userId, since)),
  ];
  return found
    .filter(({ id }) => !dismissed.has(`${userId}/${id}`))
    .toSorted((a, b) => b.timestamp - a.timestamp);
}

/** Serves `DELETE /notifications?ids=1,2`: hides these notifications. */
export async function dismissNotifications(
  caller: SandboxCaller,
  query: URLSearchParams,
): Promise<string> {
  const ids = (query.get("ids") ?? "").split(",").filter((id) => id !== "");
  if (ids.length === 0 || ids.length > MAX_LISTED || ids.some((id) => !/^\d{1,15}$/.test(id))) {
    throw new SandboxError(400, "Invalid notification ids");
  }
  // The request names no wallet. Ids are unique among an owner's wallets, so all of them are tried.
  for (const type of [0, 1, 2, 3] as const) {
    const userId = toUserId(await findWallet(caller.owner, type));
    for (const id of ids) dismissed.set(`${userId}/${id}`, true);
  }
  return "OK";
}

async function readUserId({ owner }: SandboxCaller, query: URLSearchParams): Promise<string> {
  return toUserId(await findWallet(owner, readSignatureType(query)));
}

async function listOrderNotifications(userId: string, since: Date): Promise<Notification[]> {
  const db = await getDb();
  const events = await selectWalletEvents(db, { userId, since, limit: MAX_LISTED });
  const ids = [...new Set(events.map(({ orderId }) => orderId))];
  const orders = new Map(
    (await selectOrdersOfWallet(db, [userId], ids)).map((row) => [row.id, row]),
  );
  const fillIds = events.flatMap(({ fillId }) => fillId ?? []);
  const fills = new Map((await selectFillsById(db, fillIds)).map((fill) => [fill.id, fill]));
  const markets = await paperExchange().getMarkets(events.map(({ marketId }) => marketId));
  const tradeIds = await readTradeIds([...fills.values()]);
  const settlements = await selectSettlements(db, ids);
  return events.flatMap((event) => {
    const order = orders.get(event.orderId);
    if (!order) return [];
    const fill = fills.get(event.fillId ?? "") ?? null;
    const failed = findFailure(settlements.get(order.id));
    const settledId = fill && (tradeIds.get(fill.tradeId) ?? fill.tradeId);
    const tradeId = failed ? toFailedTradeId(order.id) : settledId;
    const market = markets.get(event.marketId);
    return [toNotification(event, { order, fill, failed, tradeId, market })];
  });
}

function toNotification(
  event: OrderEvent,
  {
    order,
    fill,
    failed,
    tradeId,
    market,
  }: {
    order: OrderRow;
    fill: FillRow | null;
    failed: SettlementRow | null;
    tradeId: string | null;
    market: Market | undefined;
  },
): Notification {
  const remaining = order.shares === null ? null : subtract(order.shares, order.filledShares);
  return {
    id: Number(event.id),
    owner: order.keyId ?? "",
    type: chooseKind(fill, failed),
    payload: {
      ...(market
        ? describeMarket(market)
        : { condition_id: order.marketId, market: order.marketId }),
      order_id: order.id,
      asset_id: order.tokenId,
      outcome: market?.outcomes[order.outcome].name ?? "",
      outcome_index: order.outcome,
      owner: order.keyId ?? "",
      side: order.action,
      price: formatMicro(fill?.price ?? order.price ?? 0n),
      original_size: formatMicro(order.shares ?? order.amount ?? 0n),
      matched_size: formatMicro(fill?.shares ?? failed?.shares ?? order.filledShares),
      remaining_size: formatMicro(remaining ?? 0n),
      ...(tradeId === null
        ? {}
        : { trade_id: tradeId, transaction_hash: computeTransactionHash(tradeId) }),
    },
    timestamp: Math.floor(event.at / 1000),
  };
}

function chooseKind(fill: FillRow | null, failed: SettlementRow | null) {
  if (failed) return KIND.fillFailed;
  return fill ? KIND.filled : KIND.canceled;
}

/** Lists the resolutions of markets in which the account had a position. */
async function listResolutions(userId: string, since: Date): Promise<Notification[]> {
  const db = await getDb();
  const account = await selectAccount(db, userId);
  if (!account) return [];
  const positions = await selectAllPositions(db, account);
  const exchange = paperExchange();
  const markets = await exchange.getMarkets(positions.map(({ marketId }) => marketId));
  return [...markets.values()].flatMap((market) => {
    const { winner } = exchange.getState(market);
    if (winner === null || market.resolvesAt < since.getTime()) return [];
    const { name, tokenId } = market.outcomes[winner];
    return [
      {
        id: FIRST_RESOLUTION + Number(toNumericId(market.id)),
        owner: "",
        type: KIND.resolved,
        payload: { ...describeMarket(market), winning_asset_id: tokenId, outcome: name },
        timestamp: Math.floor(market.resolvesAt / 1000),
      },
    ];
  });
}

function describeMarket(market: Market) {
  return {
    condition_id: market.id,
    market: market.id,
    market_slug: market.slug,
    question: market.title,
    event_slug: market.eventSlug,
  };
}
