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
