import "server-only";
import type { SQL } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { selectTogether } from "@/lib/db/trips";
import { type PaperTime, readTime } from "@/lib/venue/paper/clock";
import { readEarly, type Wish } from "@/lib/venue/paper/load";
import type { LoadedMarket } from "@/lib/venue/paper/loaded";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";

interface Entered {
  /** What the locking statement found. */
  found: unknown[];
  /**
   * The market as it was read under its lock, at an instant since then. Null when the quotes have
   * moved while the lock was waited for, so that another reading is needed.
   */
  loadedAt: (time: PaperTime) => Promise<LoadedMarket | null>;
}

/**
 * Locks a market and reads it in one trip. The lock is held from the trip's first statement on, so
 * the second one sees what the lock's last owner has committed.
 */
export async function enterMarket(
  tx: Tx,
  market: ExchangeMarket,
  { locking, wish }: { locking: SQL; wish: Wish },
): Promise<Entered> {
  const early = readEarly(market, readTime(), wish);
  const statements = early ? [locking, early.statement] : [locking];
  const [found = [], read = []] = await selectTogether(tx, statements);
  return { found, loadedAt: async (time) => early && early.settle(tx, read, time) };
}
