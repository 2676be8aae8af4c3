import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectAllPositions } from "@/lib/db/queries/sandbox-data";
import { type OrderNews, selectFillsById, selectNewsOf } from "@/lib/db/queries/sandbox-events";
import { selectOrdersOf } from "@/lib/db/queries/sandbox-orders";
import { selectAccount } from "@/lib/db/queries/users";
import type { FillRow, OrderRow } from "@/lib/db/rows";
import { userIdOf, walletFor } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { signatureTypeOf } from "@/lib/sandbox/balance";
import { SandboxError } from "@/lib/sandbox/error";
import { numericId } from "@/lib/sandbox/gamma";
import { transactionHashOf } from "@/lib/sandbox/trades";
import { formatMicro, subtract } from "@/lib/units";
import { paperExchange } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

const KEPT_MS = 48 * 3_600_000;
const MAX_SHOWN = 500;
const MAX_DROPPED = 10_000;
/** What the venue numbers its kinds with. */
const KIND = { canceled: 1, filled: 2, resolved: 4 } as const;
/** Ids of resolutions are behind those of orders' lines. */
const FIRST_RESOLUTION = 1_000_000_000_000;

interface Notification {
  id: number;
  /** The API key of the order; empty where there is none. */
  owner: string;
  type: (typeof KIND)[keyof typeof KIND];
  payload: Record<string, unknown>;
  /** Seconds. */
  timestamp: number;
}

/** Ids that an account dropped, with when. This process alone knows them. */
const dropped = new Map<string, number>();

/** `GET /notifications`: what happened to a wallet's orders and markets in two days, newest first. */
export async function listNotifications(
  caller: SandboxCaller,
  query: URLSearchParams,
): Promise<Notification[]> {
  const userId = accountOf(caller, query);
  const since = new Date(now() - KEPT_MS);
  const found = [...(await ofOrders(userId, since)), ...(await ofMarkets(userId, since))];
  return found
    .filter(({ id }) => !dropped.has(`${userId}/${id}`))
    .toSorted((a, b) => b.timestamp - a.timestamp);
}

/** `DELETE /notifications?ids=1,2`: they are not shown any more. */
export function dropNotifications(caller: SandboxCaller, query: URLSearchParams): string {
  const ids = (query.get("ids") ?? "").split(",").filter((id) => id !== "");
  if (ids.length === 0 || ids.length > MAX_SHOWN || ids.some((id) => !/^\d{1,15}$/.test(id))) {
    throw new SandboxError(400, "Invalid notification ids");
  }
  // The client does not say of which wallet they are: ids are unique among an owner's.
  for (const type of [0, 1, 2, 3] as const) {
    const userId = userIdOf(walletFor(caller.owner, type));
    for (const id of ids) dropped.set(`${userId}/${id}`, now());
  }
  forgetOld();
  return "OK";
}

function forgetOld(): void {
  for (const [key, at] of dropped) {
    const isOver = now() - at >= KEPT_MS;
    if (!isOver && dropped.size <= MAX_DROPPED) return;
    dropped.delete(key);
  }
}

function accountOf({ owner }: SandboxCaller, query: URLSearchParams): string {
  return userIdOf(walletFor(owner, signatureTypeOf(query)));
}

async function ofOrders(userId: string, since: Date): Promise<Notification[]> {
  const db = await getDb();
  const news = await selectNewsOf(db, { userId, since, limit: MAX_SHOWN });
  const ids = [...new Set(news.map(({ orderId }) => orderId))];
  const orders = new Map((await selectOrdersOf(db, [userId], ids)).map((row) => [row.id, row]));
  const fillIds = news.flatMap(({ fillId }) => fillId ?? []);
  const fills = new Map((await selectFillsById(db, fillIds)).map((fill) => [fill.id, fill]));
  const markets = await paperExchange().getMarkets(news.map(({ marketId }) => marketId));
  return news.flatMap((line) => {
    const order = orders.get(line.orderId);
    const fill = fills.get(line.fillId ?? "") ?? null;
    return order ? [ofLine(line, { order, fill, market: markets.get(line.marketId) })] : [];
  });
}

function ofLine(
  line: OrderNews,
  { order, fill, market }: { order: OrderRow; fill: FillRow | null; market: Market | undefined },
): Notification {
  const remaining = order.shares === null ? null : subtract(order.shares, order.filledShares);
  return {
    id: Number(line.id),
    owner: order.keyId ?? "",
    type: fill ? KIND.filled : KIND.canceled,
    payload: {
      ...(market ? describe(market) : { condition_id: order.marketId, market: order.marketId }),
      order_id: order.id,
      asset_id: order.tokenId,
      outcome: market?.outcomes[order.outcome].name ?? "",
      outcome_index: order.outcome,
      owner: order.keyId ?? "",
      side: order.action,
      price: formatMicro(fill?.price ?? order.price ?? 0n),
      original_size: formatMicro(order.shares ?? order.amount ?? 0n),
      matched_size: formatMicro(fill?.shares ?? order.filledShares),
      remaining_size: formatMicro(remaining ?? 0n),
      ...(fill
        ? { trade_id: fill.tradeId, transaction_hash: transactionHashOf(fill.tradeId) }
        : {}),
    },
    timestamp: Math.floor(line.at / 1000),
  };
}

/** Markets that the account was in, and that were resolved. */
async function ofMarkets(userId: string, since: Date): Promise<Notification[]> {
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
        id: FIRST_RESOLUTION + Number(numericId(market.id)),
        owner: "",
        type: KIND.resolved,
        payload: { ...describe(market), winning_asset_id: tokenId, outcome: name },
        timestamp: Math.floor(market.resolvesAt / 1000),
      },
    ];
  });
}

function describe(market: Market) {
  return {
    condition_id: market.id,
    market: market.id,
    market_slug: market.slug,
    question: market.title,
    event_slug: market.eventSlug,
  };
}
