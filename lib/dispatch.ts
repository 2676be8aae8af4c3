import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import { monotonic } from "@/lib/clock";
import { errorFields, log, type LogFields } from "@/lib/log";
import { startJob, type StopJob } from "@/lib/schedule";

/** The most time that a stop waits for requests on their way. */
const STOP_MS = 5_000;

/** Work for receivers outside, which any number of processes share. */
export interface Dispatch {
  /** Names the work in the log. */
  name: string;
  everyMs: number;
  /** How many receivers this process serves at the same time. */
  limit: number;
  /** Finds the ids of the receivers that have work. */
  find: () => Promise<readonly string[]>;
  /** Serves one receiver while `mayContinue` says so. */
  serve: (id: string, mayContinue: () => boolean) => Promise<void>;
  /** The fields of a failure's log line. */
  describe: (id: string) => LogFields;
}

/** Starts the work. */
export function startDispatch(dispatch: Dispatch): StopJob {
  let isStopping = false;
  const { running, poll } = createDispatcher(dispatch, () => !isStopping);
  const stopPolls = startJob({ name: dispatch.name, everyMs: dispatch.everyMs }, poll);
  return async () => {
    isStopping = true;
    await stopPolls();
    // A request that is still on its way is repeated after its lease.
    await Promise.race([Promise.all(running.values()), wait(STOP_MS, undefined, { ref: false })]);
  };
}

/** Does everything that is due, for at most `forMs`, for hosts without a process that stays. */
export async function dispatchDue(dispatch: Dispatch, forMs: number): Promise<void> {
  const end = monotonic() + forMs;
  const { running, poll } = createDispatcher(dispatch, () => monotonic() < end);
  await poll();
  while (running.size > 0) {
    await Promise.race(running.values());
    await poll();
  }
}

/** Creates a dispatcher. Its `poll` starts to serve the receivers that have work. */
function createDispatcher(dispatch: Dispatch, mayContinue: () => boolean) {
  const { name, limit, find, serve, describe } = dispatch;
  const running = new Map<string, Promise<void>>();
  const run = async (id: string) => {
    try {
      await serve(id, mayContinue);
    } catch (error) {
      log.error(`${name} failed`, { ...describe(id), ...errorFields(error) });
    } finally {
      running.delete(id);
    }
  };
  const poll = async () => {
    if (running.size >= limit) return;
    for (const id of await find()) {
      if (running.size >= limit) return;
      if (!running.has(id) && mayContinue()) running.set(id, run(id));
    }
  };
  return { running, poll };
}
