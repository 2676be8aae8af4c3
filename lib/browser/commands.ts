/** The store that opens and closes the command menu and the list of shortcuts. */
type Layer = "commands" | "shortcuts";

let open: Layer | null = null;
const listeners = new Set<() => void>();

export const getLayer = () => open;

export function subscribeToLayer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const openCommandMenu = () => setLayer("commands");
export const openShortcutList = () => setLayer("shortcuts");

/** Signs out as the account menu does. */
export function signOut(): void {
  document.querySelector<HTMLFormElement>("form[data-sign-out]")?.requestSubmit();
}

/** Closes a layer unless the other one has replaced it: a dialog reports its close a moment later. */
export function closeLayer(layer: Layer): void {
  if (open === layer) setLayer(null);
}

function setLayer(layer: Layer | null): void {
  open = layer;
  for (const listener of listeners) listener();
}
