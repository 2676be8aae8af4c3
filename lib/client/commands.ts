/** Who opens the command menu and the list of shortcuts, and who shows them, meet here. */
type Layer = "commands" | "shortcuts" | null;

let open: Layer = null;
const listeners = new Set<() => void>();

export const openLayer = () => open;

export function subscribeToLayer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const openCommandMenu = () => setLayer("commands");
export const openShortcutList = () => setLayer("shortcuts");
export const closeLayer = () => setLayer(null);

function setLayer(layer: Layer): void {
  open = layer;
  for (const listener of listeners) listener();
}
