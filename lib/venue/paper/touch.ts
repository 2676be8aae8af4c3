import "server-only";
import type { Tx } from "@/lib/db/database";
import { isLive } from "@/lib/domain/order-status";
import { readTime } from "@/lib/venue/paper/clock";
import { commitRound } from "@/lib/venue/paper/commit";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { playDue } from "@/lib/venue/paper/play";
import { Round } from "@/lib/venue/paper/round";
import { loadMarket, loadWholeMarket, lockMarket } from "@/lib/venue/paper/store";

/**
 * Locks a market and plays what has become due in it: delayed orders, resting orders that the
 * house's quotes reached, or, once it is closed, the end of every order. Nothing is written yet.
 */
export async function openRound(tx: Tx, market: PaperMarket): Promise<Round> {
  await lockMarket(tx, market);
  const time = readTime();
  if (time.market >= market.closesAt) {
    const round = new Round(market, time, await loadWholeMarket(tx, market));
    playClose(round);
    return round;
  }
  const loaded = await loadMarket(tx, market, time, null);
  const round = new Round(market, time, loaded);
  playDue(round, loaded);
  return round;
}

/** Brings a market up to date. */
export async function touchMarket(tx: Tx, market: PaperMarket): Promise<void> {
  const round = await openRound(tx, market);
  if (!round.isEmpty) await commitRound(tx, round, new Map());
}

function playClose(round: Round): void {
  for (const row of round.orders()) {
    if (isLive(row.status)) round.move(row.id, "canceled", "canceled", { reason: "market_closed" });
  }
}
