import { createKeybindingsHandler } from "tinykeys";

/** The action of a shortcut. None places, cancels or signs anything. */
export type ShortcutAction =
  | { kind: "go"; href: string }
  | { kind: "row"; step: 1 | -1 }
  | { kind: "ticket"; command: TicketKey }
  | { kind: PlainAction };

type PlainAction =
  "commands" | "escape" | "list" | "search" | "rail" | "cancel" | "center" | "refresh" | "hide";
export type TicketKey =
  "buy" | "sell" | "first" | "second" | "limit" | "market" | "focus" | "submit";

interface ShortcutGroup {
  title: string;
  shortcuts: readonly {
    does: string;
    /** Keys as the list shows them, with their actions. The focused element handles keys without one. */
    keys: Readonly<Record<string, ShortcutAction | null>>;
  }[];
}

const go = (href: string) => ({ kind: "go", href }) as const;
const ticket = (command: TicketKey) => ({ kind: "ticket", command }) as const;

/** All shortcuts. Keys after `g` come before the same keys alone, which would be performed first. */
export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    title: "Everywhere",
    shortcuts: [
      {
        keys: { "⌘/Ctrl K": { kind: "commands" } },
        does: "Command menu; type “buy 50 gulls” for a ticket",
      },
      { keys: { "?": { kind: "list" } }, does: "Keyboard shortcuts" },
      { keys: { "/": { kind: "search" } }, does: "Search" },
      { keys: { r: { kind: "refresh" } }, does: "Refresh the page’s data" },
      { keys: { h: { kind: "hide" } }, does: "Hide or show values" },
      { keys: { "[": { kind: "rail" } }, does: "Collapse sidebar" },
      { keys: { Esc: { kind: "escape" } }, does: "Close" },
    ],
  },
  {
    title: "Go to",
    shortcuts: [
      { keys: { "g p": go("/") }, does: "Portfolio" },
      { keys: { "g m": go("/markets") }, does: "Markets" },
      { keys: { "g t": go("/trade") }, does: "Trade" },
      { keys: { "g o": go("/orders") }, does: "Orders" },
      { keys: { "g a": go("/activity") }, does: "Activity" },
      { keys: { "g w": go("/wallet") }, does: "Wallet" },
      { keys: { "g k": go("/keys") }, does: "API keys" },
      { keys: { "g d": go("/developers") }, does: "Developers" },
      { keys: { "g s": go("/settings") }, does: "Settings" },
    ],
  },
  {
    title: "Tables",
    shortcuts: [
      {
        keys: { j: { kind: "row", step: 1 }, k: { kind: "row", step: -1 } },
        does: "Next or previous row",
      },
      { keys: { Enter: null }, does: "Open the row" },
      { keys: { x: { kind: "cancel" } }, does: "Cancel order" },
    ],
  },
  {
    title: "Ticket",
    shortcuts: [
      { keys: { b: ticket("buy"), s: ticket("sell") }, does: "Buy or sell: type the amount" },
      { keys: { y: ticket("first"), n: ticket("second") }, does: "First or second outcome" },
      { keys: { l: ticket("limit"), m: ticket("market") }, does: "Limit or market order" },
      { keys: { f: ticket("focus") }, does: "Focus ticket" },
      { keys: { "⌘/Ctrl Enter": ticket("submit") }, does: "Review, then submit" },
    ],
  },
  {
    title: "Order book",
    shortcuts: [
      { keys: { "Shift C": { kind: "center" } }, does: "Center on the spread" },
      { keys: { Enter: null }, does: "Use the focused row’s price" },
      { keys: { Space: null }, does: "Pause or resume while focused" },
    ],
  },
];

/** Shortcuts that also work while typing and with single keys turned off, as tinykeys writes them. */
const COMMAND_KEYS: Readonly<Record<string, readonly string[]>> = {
  "⌘/Ctrl K": ["Control+k", "Meta+k"],
  "⌘/Ctrl Enter": ["Control+Enter", "Meta+Enter"],
  Esc: ["Escape"],
};

/** Returns a shortcut's keys as tinykeys writes them: typed characters, so that every layout works. */
function toPageKeys(keys: string): readonly string[] {
  if (keys === "Shift C") return ["Shift+c"];
  // On many layouts, AltGr or Option types "[". Windows and macOS report them as these modifiers.
  if (keys === "[") return ["[", "Shift+[", "Alt+[", "Control+Alt+["];
  // For other characters, Shift makes no difference: some layouts need it for "?" and "/".
  return keys.length === 1 ? [keys, `Shift+${keys}`] : [keys];
}

/** The keys that repeat while they are held. */
const REPEATING = /^[jk]$/i;

/** The longest pause between the keys of a sequence. */
const SEQUENCE_MS = 1500;

interface ShortcutOptions {
  /** Whether single-key shortcuts are on in the settings. */
  hasSingleKeys: boolean;
  /** Returns whether the action was possible. If not, the key is left to the page. */
  perform: (action: ShortcutAction) => boolean;
}

/** Returns a listener that performs the shortcut of a key press. */
export function createShortcutListener({ hasSingleKeys, perform }: ShortcutOptions) {
  const bind = (toKeys: (keys: string) => readonly string[]) => {
    const bindings: Record<string, (event: KeyboardEvent) => void> = {};
    const all = SHORTCUT_GROUPS.flatMap(({ shortcuts }) => shortcuts);
    for (const [keys, action] of all.flatMap((shortcut) => Object.entries(shortcut.keys))) {
      if (action === null) continue;
      for (const key of toKeys(keys)) {
        bindings[key] = (event) => {
          if (!event.defaultPrevented && perform(action)) event.preventDefault();
        };
      }
    }
    return createKeybindingsHandler(bindings, { timeout: SEQUENCE_MS });
  };
  const handleCommandKeys = bind((keys) => COMMAND_KEYS[keys] ?? []);
  const handlePageKeys = bind((keys) => (keys in COMMAND_KEYS ? [] : toPageKeys(keys)));
  return (event: KeyboardEvent, context: { isTyping: boolean; isInDialog: boolean }) => {
    if (event.defaultPrevented || event.isComposing || context.isInDialog) return;
    if (event.repeat && !REPEATING.test(event.key)) return;
    handleCommandKeys(event);
    if (hasSingleKeys && !context.isTyping) handlePageKeys(event);
  };
}
