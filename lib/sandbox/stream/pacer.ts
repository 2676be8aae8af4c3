import "server-only";
import { errorFields, log } from "@/lib/log";

/** Work that runs again and again, and never twice at once. */
export interface Pacer {
  start: () => void;
  stop: () => void;
  /** Runs something between two steps. */
  between: <T>(work: () => Promise<T>) => Promise<T>;
  /** What is under way. */
  idle: () => Promise<void>;
}

/** Runs `step` this often while started; a step that fails is reported, and the next one comes. */
export function makePacer(step: () => Promise<void>, everyMs: number): Pacer {
  let timer: NodeJS.Timeout | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  const between = <T>(work: () => Promise<T>): Promise<T> => {
    const result = underWay.then(work);
    underWay = result.catch(() => undefined);
    return result;
  };
  const schedule = () => {
    timer = setTimeout(() => {
      void between(step)
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
    between,
    idle: async () => {
      await underWay;
    },
  };
}
