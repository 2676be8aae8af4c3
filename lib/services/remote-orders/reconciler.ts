import "server-only";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";
import { hurry, reconcileAll, unsettledUsers } from "@/lib/services/remote-orders/reconcile";
import { UserStreams } from "@/lib/services/remote-orders/user-streams";

/**
 * Reconciles every RECONCILE_TICK_MS, beginning at once: what a stopped process left unsettled is
 * looked up first. Between the ticks the venue's own stream tells which account to look at.
 *
 * @returns a function that stops it and waits for what is under way.
 */
export function startReconciler(): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  let isStopped = false;
  const hurried = new Map<string, Promise<void>>();

  const streams = new UserStreams((userId) => {
    if (isStopped || hurried.has(userId)) return;
    const done = hurry(userId)
      .catch(report)
      .finally(() => hurried.delete(userId));
    hurried.set(userId, done);
  });
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
    await Promise.all([underWay, ...hurried.values()]);
  };
}

function report(error: unknown): void {
  log.error("reconciliation failed", errorFields(error));
}
