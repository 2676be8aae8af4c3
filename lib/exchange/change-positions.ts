import "server-only";
import { takeTurns } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { restoreStatementTimeout, withMarketTransaction } from "@/lib/db/market-transaction";
import type { OwnerRow } from "@/lib/db/queries/wallets";
import { assert } from "@/lib/errors";
import type { Cause } from "@/lib/ledger/account-log";
import { asExchangeMarket, getMarketData } from "@/lib/exchange/choose-source";
import { readTime } from "@/lib/exchange/clock";
import { lockMarket } from "@/lib/exchange/load-market";
import { lockLimitedOwner, refuseTransactions } from "@/lib/exchange/owner-limits";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { redeemHolding } from "@/lib/exchange/redeem-position";
import { cancelLiveOrders } from "@/lib/exchange/settle-due";
import { splitOrMerge } from "@/lib/exchange/split-position";
import type {
  PositionChange,
  PositionChangeRequest,
  PositionChangeResult,
  PositionRefusal,
} from "@/lib/venue/port";

type PaperChange = PositionChange & { market: ExchangeMarket };

/** A change that cannot be made. It undoes the transaction, and with it the changes before it. */
class Refused extends Error {
  constructor(
    readonly index: number,
    readonly reason: PositionRefusal,
  ) {
    super(reason);
  }
}

/**
 * Splits, merges and redeems in one transaction: all of the changes, or none. Shares that are redeemed
 * may be reserved by live orders, which are canceled first, in several transactions if there are many.
 */
export async function changePaperPositions(
  request: PositionChangeRequest,
): Promise<PositionChangeResult> {
  const changes = request.changes.map((one) => ({
    ...one,
    market: asExchangeMarket(one.market),
  }));
  const markets = new Map(changes.map(({ market }) => [market.id, market]));
  // In one order, so that two of these transactions can't deadlock.
  const inOrder = [...markets.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const [first] = inOrder;
  assert(first, "there is at least one change");
  try {
    for (;;) {
      const result = await withMarketTransaction(first.id, (tx) =>
        applyChanges(tx, request, { changes, markets: inOrder }),
      );
      if (result) return result;
      await takeTurns();
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { outcome: "refused", index: error.index, reason: error.reason };
  }
}

/** Returns null if more orders must be canceled first. */
async function applyChanges(
  tx: Tx,
  request: PositionChangeRequest,
  { changes, markets }: { changes: readonly PaperChange[]; markets: readonly ExchangeMarket[] },
): Promise<PositionChangeResult | null> {
  const owner = await lockLimitedOwner(tx, request.userId);
  const forbidden = await refuseTransactions(tx, request, changes.map(toLimited));
  if (forbidden) return { outcome: "forbidden", refusal: forbidden };
  for (const market of markets) await lockMarket(tx, market);
  await restoreStatementTimeout(tx);
  // Under the locks, so that an equal request that came first is seen.
  if (!(await request.admit(tx))) return { outcome: "not_admitted" };
  for (const market of markets) {
    const isRedeemed = changes.some((one) => one.kind === "redeem" && one.market.id === market.id);
    if (!isRedeemed || findFirstPayout(market) === null) continue;
    if (await cancelLiveOrders(tx, market, { userId: owner.userId })) return null;
  }
  for (const [index, one] of changes.entries()) {
    const refusal = await applyChange(tx, { request, owner, index }, one);
    if (refusal) throw new Refused(index, refusal);
  }
  await request.record(tx);
  return { outcome: "changed" };
}

/** Claims are not limited to markets. */
const toLimited = ({ kind, market }: PaperChange) =>
  kind === "redeem" ? { kind } : { kind, market };

const findFirstPayout = (market: ExchangeMarket) =>
  getMarketData(market).getFirstPayout(readTime().market);

interface Context {
  request: PositionChangeRequest;
  owner: OwnerRow;
  index: number;
}

async function applyChange(
  tx: Tx,
  { request, owner, index }: Context,
  one: PaperChange,
): Promise<PositionRefusal | null> {
  const { market } = one;
  const firstPayout = findFirstPayout(market);
  const cause: Cause = { requestId: request.requestId ?? null, keyId: request.keyId ?? null };
  const common = { market, owner, cause, at: new Date(readTime().now) };
  switch (one.kind) {
    case "split":
      // Shares of a resolved market are worth what they pay, not a dollar per pair.
      if (firstPayout !== null) return "resolved";
      return splitOrMerge(tx, { ...common, ...one, groupId: `split/${request.id}/${index}` });
    case "merge":
      return splitOrMerge(tx, { ...common, ...one, groupId: `merge/${request.id}/${index}` });
    case "redeem": {
      if (firstPayout === null) return "not_resolved";
      const { outcome, shares } = one;
      const result = await redeemHolding(tx, { ...common, outcome, firstPayout });
      const held = result.outcome === "redeemed" ? result.shares : 0n;
      return shares === null || shares === held ? null : "insufficient_shares";
    }
  }
}
