/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

let clock: Clock = Date.now;
/** Replaces the database's clock while a test moves the time; null for the real one. */
let databaseClock: Clock | null = null;

/** Milliseconds by which `runInPast` sets the clock back; otherwise 0. */
let setBackMs = 0;

/** Returns the time. Every module uses this clock. */
export const now = (): number => clock() - setBackMs;

/** Returns how far the clock is set back. The frozen clock of the paper markets moves with it. */
export const readSetBack = (): number => setBackMs;

/**
 * Runs `work` with a clock that stands still. `work` chooses how long ago it stands. The whole process
 * has this clock, so nothing else may run meanwhile. The database's clock stays.
 */
export async function runInPast<T>(
  work: (standAt: (msAgo: number) => void) => Promise<T>,
): Promise<T> {
  const startedAt = clock();
  const restore = setClock(() => startedAt, { movesDatabase: false });
  try {
    return await work((msAgo) => {
      setBackMs = msAgo;
    });
  } finally {
    setBackMs = 0;
    restore();
  }
}

/**
 * Replaces the clock. Returns a function that restores it. For tests.
 *
 * @param movesDatabase false leaves the database's clock, so only this process has another time.
 */
export function setClock(replacement: Clock, { movesDatabase = true } = {}): () => void {
  const former = { clock, databaseClock };
  clock = replacement;
  databaseClock = movesDatabase ? replacement : null;
  return () => {
    ({ clock, databaseClock } = former);
  };
}

/** Returns the time that replaces the database's; null for the real one. Used by `databaseTime`. */
export const replacedDatabaseTime = (): number | null => databaseClock?.() ?? null;

let steadyClock: Clock = () => performance.now();

/** Returns monotonic milliseconds, for measuring durations. */
export const monotonic = (): number => steadyClock();

/** Replaces the monotonic clock. For tests. */
export function setMonotonic(replacement: Clock): () => void {
  const former = steadyClock;
  steadyClock = replacement;
  return () => {
    steadyClock = former;
  };
}

/** Waits for a number of milliseconds. */
export type Pause = (ms: number) => Promise<void>;

const realPause: Pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
let currentPause = realPause;

/** Waits. Every module waits with this function, so that tests can replace it. */
export const pause: Pause = (ms) => currentPause(ms);

/** Replaces waiting. For tests. */
export function setPause(replacement: Pause): () => void {
  const former = currentPause;
  currentPause = replacement;
  return () => {
    currentPause = former;
  };
}

/** Yields to everything that has arrived, between slices of long work. */
export const takeTurns = () => new Promise<void>((resolve) => void setImmediate(resolve));
