/** A message in the corner of the dashboard. The store is outside React, so any module can add one. */
export interface Toast {
  /** A toast with the same id is replaced in place. */
  id: string;
  tone: "info" | "success" | "error";
  text: string;
  /** Whether nothing can follow, as for a canceled order: later toasts with this id are out of date. */
  isFinal?: true;
  link?: { href: string; label: string };
  /** A button in the toast. */
  action?: { label: string; run: () => void };
}

/** More would cover the ticket's button in a window of 900 px. */
const MAX_SHOWN = 2;
const SHOWN_MS = 6_000;
/** Leaves time to use the button. */
const SHOWN_WITH_ACTION_MS = 15_000;

let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();
/** The ids whose final toasts were shown. A page has few. */
const ended = new Set<string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
let isHeld = false;

export const listToasts = () => toasts;

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a toast, newest first. Errors stay until they are dismissed. */
export function showToast(toast: Toast): void {
  if (toast.isFinal) ended.add(toast.id);
  else if (ended.has(toast.id)) return;
  const others = toasts.filter((other) => other.id !== toast.id);
  const isKnown = others.length < toasts.length;
  const next = isKnown
    ? toasts.map((other) => (other.id === toast.id ? toast : other))
    : [toast, ...others].slice(0, MAX_SHOWN);
  change(next);
  schedule(toast);
}

export function dismissToast(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  change(toasts.filter((toast) => toast.id !== id));
}

/** Keeps toasts open while the pointer or the focus is on them. */
export function holdToasts(): void {
  isHeld = true;
}

export function releaseToasts(): void {
  isHeld = false;
}

function schedule(toast: Toast): void {
  clearTimeout(timers.get(toast.id));
  if (toast.tone === "error") return;
  const leave = () => {
    if (isHeld || document.hidden) timers.set(toast.id, setTimeout(leave, SHOWN_MS / 4));
    else dismissToast(toast.id);
  };
  timers.set(toast.id, setTimeout(leave, toast.action ? SHOWN_WITH_ACTION_MS : SHOWN_MS));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
