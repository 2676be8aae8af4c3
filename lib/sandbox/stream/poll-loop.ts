import "server-only";
import { errorFields, log } from "@/lib/log";

/** Repeated work that never overlaps with itself or with work passed to `runBetween`. */
export interface PollLoop {
  start: () => void;
  stop: () => void;
  /** Runs `work` between two steps. */
  runBetween: <T>(work: () => Promise<T>) => Promise<T>;
  /** Waits for the work that is running. */
  waitUntilIdle: () => Promise<void>;
}

/** Makes a loop that runs `step` every `everyMs` while started. A failed step is logged. */
export function makePollLoop(step: () => Promise<void>, everyMs: number): PollLoop {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> = Promise.resolve();

  const runBetween = <T>(work: () => Promise<T>): Promise<T> => {
    const result = running.then(work);
    running = result.catch(() => undefined);
    return result;
  };
  const schedule = () => {
    timer = setTimeout(() => {
      void runBetween(step)
        .catch((error: unknown) => log.error("sandbox stream failed", errorFields(error)))
        .then(() => timer !== null && schedule());
    }, everyMs);
    timer.unref();
  };
  return {
    start: () => {
      if (timer === null) schedule();
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
    runBetween,
    waitUntilIdle: async () => {
      await running;
    },
  };
}
