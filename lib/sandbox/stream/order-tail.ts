import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  type OrderNews,
  selectNewestOrderEvent,
  selectOrderNews,
} from "@/lib/db/queries/sandbox-events";

/**
 * Ids are drawn before a transaction commits: a lower one may become visible after a higher one, but
 * never this much later, because the database ends what takes longer.
 */
const LATE_MS = 35_000;
const AT_ONCE = 500;

/** Reads what happened to orders, each line once, whichever process wrote it. */
export class OrderTail {
  /** Everything up to here was read. */
  private floor = "0";
  /** Lines above the floor that were read already. */
  private readonly seen = new Set<string>();
  /** The newest id at past instants: once that is long ago, it is the floor. */
  private samples: { at: number; newest: string }[] = [];
  private isBegun = false;

  /** Begins behind what is there now. Returns where that is. */
  async begin(): Promise<bigint> {
    const newest = await selectNewestOrderEvent(await getDb());
    if (!this.isBegun) {
      this.floor = newest;
      this.seen.clear();
      this.samples = [];
      this.isBegun = true;
    }
    return BigInt(newest);
  }

  /** Forgets where it was: what happens until it begins again is not told. */
  end(): void {
    this.isBegun = false;
  }

  /** What happened since the last time, oldest first. */
  async read(): Promise<OrderNews[]> {
    const db = await getDb();
    const newest = await selectNewestOrderEvent(db);
    this.advance(newest);
    const news: OrderNews[] = [];
    for (;;) {
      const lines = await selectOrderNews(db, {
        after: this.floor,
        known: this.seen,
        limit: AT_ONCE,
      });
      for (const { id } of lines) this.seen.add(id);
      news.push(...lines);
      if (lines.length < AT_ONCE) return news;
    }
  }

  private advance(newest: string): void {
    const at = now();
    this.samples.push({ at, newest });
    const past = this.samples.findLastIndex((sample) => at - sample.at >= LATE_MS);
    if (past < 0) return;
    this.floor = this.samples[past]?.newest ?? this.floor;
    this.samples.splice(0, past + 1);
    for (const id of this.seen) if (BigInt(id) <= BigInt(this.floor)) this.seen.delete(id);
  }
}
