import "server-only";
import { getDb } from "@/lib/db/client";
import { selectOrdersByVenueId } from "@/lib/db/queries/remote-orders";
import { CLOSED_STATUSES } from "@/lib/domain/order-status";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";
import { Hints } from "@/lib/services/remote-orders/hints";
import { hurry, reconcileAll, unsettledUsers } from "@/lib/services/remote-orders/reconcile";
import { UserStreams } from "@/lib/services/remote-orders/user-streams";
import type { StreamNews } from "@/lib/venue/trader";

/**
 * Reconciles every RECONCILE_TICK_MS, beginning at once: what a stopped process left unsettled is
 * looked up first. Between the ticks the venue's own stream tells which account to look at.
 *
 * @returns a function that stops it and waits for what is under way.
 */
export function startReconciler(): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  let isStopped = false;
  const hints = new Hints(async (userId, news) => {
    try {
      if (!(await isKnown(userId, news))) await hurry(userId);
    } catch (error) {
      report(error);
    }
  });

  const streams = new UserStreams((userId, news) => hints.take(userId, news));
  const pass = async () => {
    const userIds = await unsettledUsers();
    await streams.follow(userIds);
    await reconcileAll(userIds);
  };
  const tick = () => {
    if (isStopped || underWay) return;
    underWay = pass()
      .catch(report)
      .finally(() => {
        underWay = null;
      });
  };

  tick();
  const timer = setInterval(tick, env().RECONCILE_TICK_MS);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    streams.closeAll();
    await Promise.all([underWay, hints.stop()]);
  };
}

/** Whether all that was told is that orders are canceled which are over here too: we canceled them. */
async function isKnown(userId: string, news: readonly StreamNews[]): Promise<boolean> {
  const canceled = new Set<string>();
  for (const each of news) {
    if (each === "something") return false;
    canceled.add(each.canceled);
  }
  const found = await selectOrdersByVenueId(await getDb(), userId, [...canceled]);
  const closed = found.filter(({ order }) => CLOSED_STATUSES.some((one) => one === order.status));
  return closed.length === canceled.size;
}

function report(error: unknown): void {
  log.error("reconciliation failed", errorFields(error));
}
