import "server-only";
import { errorFields, log } from "@/lib/log";

/** Stops a job and waits for its running work. */
export type StopJob = () => Promise<void>;

/**
 * Runs `work` every `everyMs` until it is stopped. A tick is skipped while the work still runs, so
 * slow work never queues up. Failures are logged.
 *
 * @param name names the job in the log.
 * @param startsNow also runs the work immediately.
 */
export function startJob(
  { name, everyMs, startsNow = false }: { name: string; everyMs: number; startsNow?: boolean },
  work: () => Promise<unknown>,
): StopJob {
  let running: Promise<unknown> | null = null;
  const tick = () => {
    running ??= work()
      .catch((error: unknown) => log.error(`${name} failed`, errorFields(error)))
      .finally(() => {
        running = null;
      });
  };
  if (startsNow) tick();
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
