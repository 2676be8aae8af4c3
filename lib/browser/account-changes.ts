/** Parts of the page that show account data and fetch it themselves. */
const listeners = new Set<() => void>();

/** Calls `onChange` after each change of the account, until the returned function is called. */
export function watchAccountChanges(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

export function announceAccountChange(): void {
  for (const listener of listeners) listener();
}
