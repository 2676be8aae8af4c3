import "server-only";
import type { Tx } from "@/lib/db/database";
import { isLive } from "@/lib/domain/order-status";
import { readTime } from "@/lib/venue/paper/clock";
import { commitRound } from "@/lib/venue/paper/commit";
import { enterMarket } from "@/lib/venue/paper/enter";
import { loadMarket, loadWholeMarket, type Wish } from "@/lib/venue/paper/load";
import type { LoadedMarket } from "@/lib/venue/paper/loaded";
import { playDue } from "@/lib/venue/paper/play";
import { Round } from "@/lib/venue/paper/round";
import { originOf } from "@/lib/venue/paper/source/choose";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";
import { lockingOf, lockNewMarket } from "@/lib/venue/paper/store";

/**
 * Locks a market and plays what has become due in it: delayed orders, resting orders that the
 * house's quotes reached, or, once it is closed, the end of every order. Nothing is written yet.
 */
export async function openRound(
  tx: Tx,
  market: ExchangeMarket,
  wish: Pick<Wish, "wanted">,
): Promise<{ round: Round; loaded: LoadedMarket }> {
  const { found, loadedAt } = await enterMarket(tx, market, { locking: lockingOf(market), wish });
  const isLocked = found.length === 1;
  if (!isLocked) await lockNewMarket(tx, market);
  const time = readTime();
  if (originOf(market).hasEnded(time.market)) {
    const loaded = await loadWholeMarket(tx, market, time, wish);
    const round = new Round(market, time, loaded);
    playClose(round);
    return { round, loaded };
  }
  const early = isLocked ? await loadedAt(time) : null;
  const loaded = early ?? (await loadMarket(tx, market, time, wish));
  const round = new Round(market, time, loaded);
  playDue(round, loaded);
  return { round, loaded };
}

/** Brings a market up to date. */
export async function touchMarket(tx: Tx, market: ExchangeMarket): Promise<void> {
  const { round } = await openRound(tx, market, {});
  if (!round.isEmpty) await commitRound(tx, round);
}

function playClose(round: Round): void {
  for (const row of round.orders()) {
    if (isLive(row.status)) round.move(row.id, "canceled", "canceled", { reason: "market_closed" });
  }
}
