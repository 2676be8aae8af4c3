import "server-only";
import { getDb } from "@/lib/db/client";
import { selectWalletFills } from "@/lib/db/queries/sandbox-orders";
import { type FailedTradeRow, selectFailedTrades } from "@/lib/db/queries/simulated-settlements";
import type { FillRow } from "@/lib/db/rows";
import { listAccountIds, toUserId } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import { readClobOffset, toClobPage } from "@/lib/sandbox/pages";
import { parseFailedTradeId, toFailedWireTrades, toWireTrades } from "@/lib/sandbox/wire-trades";

const PAGE_SIZE = 100;

/** Serves `GET /data/trades`: the trades of the caller's orders, newest first. */
export async function listWireTrades(caller: SandboxCaller, query: URLSearchParams) {
  const offset = readClobOffset(query);
  if (offset === null) return toClobPage([], 0, PAGE_SIZE);
  const tradeId = query.get("id") ?? undefined;
  const filter = {
    userIds: await selectAccounts(caller, query.get("maker_address")),
    keyOwner: caller.owner,
    after: readInstant(query, "after"),
    before: readInstant(query, "before"),
    marketId: query.get("market") ?? undefined,
    tokenId: query.get("asset_id") ?? undefined,
  };
  const db = await getDb();
  const end = offset + PAGE_SIZE;
  const orderId = tradeId === undefined ? undefined : (parseFailedTradeId(tradeId) ?? "");
  const failed = await selectFailedTrades(db, { ...filter, orderId }, end);
  // Pages of both kinds are cut out of the merged list. Most accounts have no failed trades.
  const slice = failed.length === 0 ? { offset, limit: PAGE_SIZE } : { offset: 0, limit: end };
  const own = await selectWalletFills(db, { ...filter, tradeId }, slice);
  const merged = mergeNewestFirst(own, failed)
    .slice(offset - slice.offset)
    .slice(0, PAGE_SIZE);
  const [settled, unsettled] = await Promise.all([
    toWireTrades(merged.flatMap((entry) => ("fill" in entry ? entry.fill : []))),
    toFailedWireTrades(merged.flatMap((entry) => ("failed" in entry ? entry.failed : []))),
  ]);
  const rows = merged.flatMap((entry) => ("fill" in entry ? settled : unsettled).shift() ?? []);
  return toClobPage(rows, offset, PAGE_SIZE);
}

type ListedTrade = { fill: FillRow } | { failed: FailedTradeRow };

function mergeNewestFirst(
  own: readonly FillRow[],
  failed: readonly FailedTradeRow[],
): ListedTrade[] {
  const entries: { at: number; entry: ListedTrade }[] = [
    ...own.map((fill) => ({ at: fill.createdAt.getTime(), entry: { fill } })),
    ...failed.map((row) => ({ at: row.order.createdAt.getTime(), entry: { failed: row } })),
  ];
  return entries.toSorted((a, b) => b.at - a.at).map(({ entry }) => entry);
}

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
