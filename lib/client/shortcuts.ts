/** What a key press asks for. Nothing here places, cancels or signs anything. */
export type ShortcutAction =
  | { kind: "go"; href: string }
  | { kind: "row"; step: 1 | -1 }
  | { kind: "ticket"; command: TicketKey }
  | { kind: PlainAction }
  | { kind: "escape" };

type PlainAction =
  "prefix" | "commands" | "list" | "search" | "rail" | "cancel" | "center" | "refresh" | "hide";
type TicketKey = "buy" | "sell" | "first" | "second" | "limit" | "market" | "focus" | "submit";

/** A key press, and where it fell. */
export interface KeyPress {
  /** The character it makes, so that every keyboard layout works. */
  key: string;
  hasCommand: boolean;
  hasAlt: boolean;
  hasShift: boolean;
  isTyping: boolean;
  isInDialog: boolean;
}

/** Where `g` and a second key lead. */
export const GO_KEYS: Readonly<Record<string, string>> = {
  p: "/",
  m: "/markets",
  t: "/trade",
  o: "/orders",
  a: "/activity",
  w: "/wallet",
  k: "/keys",
  s: "/settings",
};

const SINGLE_KEYS: Readonly<Record<string, ShortcutAction>> = {
  "?": { kind: "list" },
  "/": { kind: "search" },
  "[": { kind: "rail" },
  g: { kind: "prefix" },
  j: { kind: "row", step: 1 },
  k: { kind: "row", step: -1 },
  x: { kind: "cancel" },
  r: { kind: "refresh" },
  h: { kind: "hide" },
  b: { kind: "ticket", command: "buy" },
  s: { kind: "ticket", command: "sell" },
  y: { kind: "ticket", command: "first" },
  n: { kind: "ticket", command: "second" },
  l: { kind: "ticket", command: "limit" },
  m: { kind: "ticket", command: "market" },
  f: { kind: "ticket", command: "focus" },
};

/** What letters ask for while Shift is held; the others do the same with and without it. */
const SHIFTED_KEYS: Readonly<Record<string, ShortcutAction>> = { c: { kind: "center" } };

interface Situation {
  /** The key before was `g`, a moment ago. */
  isAfterPrefix: boolean;
  /** Single keys can be switched off in the settings. */
  hasSingleKeys: boolean;
}

/** The shortcut that a key press is, or null: it belongs to the page. */
export function matchShortcut(press: KeyPress, situation: Situation): ShortcutAction | null {
  const { hasCommand, hasAlt, isTyping, isInDialog } = press;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (isInDialog) return null;
  if (key === "Escape") return { kind: "escape" };
  if (hasCommand) return hasAlt ? null : withCommand(key);
  if (hasAlt || isTyping || !situation.hasSingleKeys) return null;
  const href = situation.isAfterPrefix ? GO_KEYS[key] : undefined;
  if (href !== undefined) return { kind: "go", href };
  return (press.hasShift ? SHIFTED_KEYS[key] : undefined) ?? SINGLE_KEYS[key] ?? null;
}

/** With Ctrl or ⌘: while typing too, and whatever the settings say. */
function withCommand(key: string): ShortcutAction | null {
  if (key === "k") return { kind: "commands" };
  return key === "Enter" ? { kind: "ticket", command: "submit" } : null;
}

/** The list of shortcuts, for people. */
export const SHORTCUT_GROUPS: readonly {
  title: string;
  shortcuts: readonly { keys: readonly string[]; does: string }[];
}[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: ["⌘/Ctrl K"], does: "Command menu" },
      { keys: ["?"], does: "This list" },
      { keys: ["/"], does: "Search" },
      { keys: ["r"], does: "Refresh the page's data" },
      { keys: ["h"], does: "Hide or show values" },
      { keys: ["["], does: "Navigation with or without words" },
      { keys: ["Esc"], does: "Close what is open" },
    ],
  },
  {
    title: "Go to",
    shortcuts: [
      { keys: ["g p"], does: "Portfolio" },
      { keys: ["g m"], does: "Markets" },
      { keys: ["g t"], does: "Trade" },
      { keys: ["g o"], does: "Orders" },
      { keys: ["g a"], does: "Activity" },
      { keys: ["g w"], does: "Wallet" },
      { keys: ["g k"], does: "API keys" },
      { keys: ["g s"], does: "Settings" },
    ],
  },
  {
    title: "Tables",
    shortcuts: [
      { keys: ["j", "k"], does: "Next or previous row" },
      { keys: ["Enter"], does: "Open the row" },
      { keys: ["x"], does: "To the row's Cancel button" },
    ],
  },
  {
    title: "Ticket",
    shortcuts: [
      { keys: ["b", "s"], does: "Buy or sell" },
      { keys: ["y", "n"], does: "First or second outcome" },
      { keys: ["l", "m"], does: "Limit or market order" },
      { keys: ["f"], does: "Type into the ticket" },
      { keys: ["⌘/Ctrl Enter"], does: "Review, then submit" },
    ],
  },
  {
    title: "Order book",
    shortcuts: [
      { keys: ["Shift C"], does: "Center on the spread" },
      { keys: ["Enter"], does: "Use the focused row's price" },
      { keys: ["Space"], does: "Pause or resume, with the focus in it" },
    ],
  },
];
