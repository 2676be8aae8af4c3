import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  type OrderEvent,
  selectEventsAfter,
  selectNewestEventId,
} from "@/lib/db/queries/sandbox-events";

/**
 * Ids are drawn before a transaction commits, so a lower one may become visible after a higher one,
 * but never later than this: the database ends longer transactions.
 */
const LATE_MS = 35_000;
const BATCH_SIZE = 500;

/** Reads new order events of all processes, each event once. */
export class OrderTail {
  /** Every event up to this id was read. */
  private floor = "0";
  /** Events above the floor that were read. */
  private readonly seen = new Set<string>();
  /** The newest id at past instants. After LATE_MS it becomes the floor. */
  private samples: { at: number; newest: string }[] = [];
  private isStarted = false;

  /** Starts after the newest event, and returns its id. */
  async start(): Promise<bigint> {
    const newest = await selectNewestEventId(await getDb());
    if (!this.isStarted) {
      this.floor = newest;
      this.seen.clear();
      this.samples = [];
      this.isStarted = true;
    }
    return BigInt(newest);
  }

  /** Stops. Events until the next start are skipped. */
  stop(): void {
    this.isStarted = false;
  }

  /** Reads the events since the last call, oldest first. */
  async read(): Promise<OrderEvent[]> {
    const db = await getDb();
    const newest = await selectNewestEventId(db);
    this.advance(newest);
    const events: OrderEvent[] = [];
    for (;;) {
      const batch = await selectEventsAfter(db, {
        after: this.floor,
        known: this.seen,
        limit: BATCH_SIZE,
      });
      for (const { id } of batch) this.seen.add(id);
      events.push(...batch);
      if (batch.length < BATCH_SIZE) return events;
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
