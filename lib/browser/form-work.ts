/** The number of forms whose action runs. */
let running = 0;
const listeners = new Set<() => void>();

/** Counts a running action of a form until the returned function is called. */
export function startFormWork(): () => void {
  change(1);
  return () => change(-1);
}

export const isFormWorking = () => running > 0;

export function subscribeToFormWork(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(by: 1 | -1): void {
  running += by;
  for (const listener of listeners) listener();
}
