import "server-only";
import { getDb } from "@/lib/db/client";
import { selectStatusesByVenueId } from "@/lib/db/queries/remote-orders";
import { isClosed } from "@/lib/domain/order-status";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";
import { startJob, type StopJob } from "@/lib/schedule";
import { EventDebouncer, UserStreams } from "@/lib/orders/live/user-streams";
import {
  findDueUsers,
  endPauses,
  findFollowedUsers,
  findUnsettledUsers,
  reconcileNow,
  reconcileAll,
} from "@/lib/orders/live/reconcile-leases";
import { remoteVenue } from "@/lib/venues";
import type { UserStreamEvent } from "@/lib/venue/trader";

/**
 * Starts the scheduler of reconciliation: one pass every RECONCILE_TICK_MS. The first pass starts at
 * once and settles what a stopped process left behind. Between ticks, events of the venue's user
 * streams trigger the reconciliation of single accounts.
 *
 * @returns a function that stops the scheduler and waits for the running pass.
 */
export function startReconciler(): StopJob {
  const debouncer = new EventDebouncer(async (userId, events) => {
    try {
      if (!(await areRecorded(userId, events))) await reconcileNow(userId);
    } catch (error) {
      report(error);
    }
  });

  const streams = new UserStreams((userId, event) => debouncer.push(userId, event));
  const outage = new OutageWatch(() => remoteVenue().isAnswering());
  const pass = async () => {
    if (await outage.hasEnded()) {
      streams.retryNow();
      await endPauses();
    }
    const unsettled = await findUnsettledUsers();
    await streams.follow(await findFollowedUsers(unsettled));
    const { unanswered } = await reconcileAll(await findDueUsers(unsettled));
    if (unanswered > 0) outage.suspect();
  };
  const everyMs = env().RECONCILE_TICK_MS;
  const stop = startJob({ name: "reconciliation", everyMs, startsNow: true }, pass);
  return async () => {
    const stopped = stop();
    streams.closeAll();
    await Promise.all([stopped, debouncer.stop()]);
  };
}

/**
 * Whether the database already reflects all of these events: placed orders are recorded, canceled
 * orders are closed. Such events need no reconciliation.
 */
async function areRecorded(userId: string, events: readonly UserStreamEvent[]): Promise<boolean> {
  const placed = new Set<string>();
  const canceled = new Set<string>();
  for (const event of events) {
    if (event === "other") return false;
    if ("placed" in event) placed.add(event.placed);
    else canceled.add(event.canceled);
  }
  const named = [...new Set([...placed, ...canceled])];
  const found = await selectStatusesByVenueId(await getDb(), userId, named);
  const closed = found.filter(
    ({ venueOrderId, status }) => canceled.has(venueOrderId) && isClosed(status),
  );
  return found.length === named.length && closed.length === canceled.size;
}

function report(error: unknown): void {
  log.error("reconciliation failed", errorFields(error));
}

/**
 * Detects the end of a venue outage. Failing accounts and lost streams back off during an outage.
 * One cheap probe per tick finds out when their back-off can end.
 */
export class OutageWatch {
  /** A reconciliation got no response, and the venue has not been probed since. */
  private isSuspected = false;
  /** The last probe got no response. */
  private isOngoing = false;

  constructor(private readonly isAnswering: () => Promise<boolean>) {}

  suspect(): void {
    this.isSuspected = true;
  }

  /**
   * Returns true once per outage, when the venue responds again. An account that fails while the
   * venue responds keeps its back-off.
   */
  async hasEnded(): Promise<boolean> {
    if (!this.isSuspected && !this.isOngoing) return false;
    const wasOngoing = this.isOngoing;
    const isResponding = await this.isAnswering();
    this.isSuspected = false;
    this.isOngoing = !isResponding;
    return isResponding && wasOngoing;
  }
}
