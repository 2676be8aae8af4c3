/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

let clock: Clock = Date.now;

/** The service's one source of time. */
export const now = (): number => clock();

/** Replaces the clock; returns a function that puts the former one back. Only tests call this. */
export function setClock(replacement: Clock): () => void {
  const former = clock;
  clock = replacement;
  return () => {
    clock = former;
  };
}

/** Waits for so many milliseconds. */
export type Pause = (ms: number) => Promise<void>;

const realPause: Pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
let currentPause = realPause;

/** The one way to wait for time to pass. */
export const pause: Pause = (ms) => currentPause(ms);

/** Replaces waiting, as setClock replaces the time. Only tests call this. */
export function setPause(replacement: Pause): () => void {
  const former = currentPause;
  currentPause = replacement;
  return () => {
    currentPause = former;
  };
}
