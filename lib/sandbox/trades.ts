import "server-only";
import { getDb } from "@/lib/db/client";
import { selectWalletFills } from "@/lib/db/queries/sandbox-orders";
import { selectFailedTrades } from "@/lib/db/queries/simulated-settlements";
import { listAccountIds, toUserId } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import { readClobOffset, toClobPage } from "@/lib/sandbox/pages";
import {
  parseFailedTradeId,
  toFailedWireTrades,
  toWireTrades,
  type WireTrade,
} from "@/lib/sandbox/wire-trades";

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
  // With failed trades, the page is cut out of both lists. Most accounts have none.
  const from = failed.length === 0 ? offset : 0;
  const own = await selectWalletFills(
    db,
    { ...filter, tradeId },
    { offset: from, limit: end - from },
  );
  const trades = [...(await toWireTrades(own)), ...(await toFailedWireTrades(failed))];
  const newestFirst = trades.toSorted((a, b) => readMatchTime(b) - readMatchTime(a));
  return toClobPage(newestFirst.slice(offset - from).slice(0, PAGE_SIZE), offset, PAGE_SIZE);
}

/** Reads when a trade was matched, in milliseconds. */
const readMatchTime = ({ match_time_nano }: WireTrade) => Number(match_time_nano.slice(0, -6));

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
