import { describe, expect, it } from "vitest";
import { ACCOUNT_DESTINATIONS, MAIN_DESTINATIONS } from "@/components/shell/navigation";
import { GO_KEYS, type KeyPress, matchShortcut, SHORTCUT_GROUPS } from "@/lib/client/shortcuts";

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  hasCommand: false,
  hasAlt: false,
  hasShift: false,
  isTyping: false,
  isInDialog: false,
  ...change,
});
const ON = { isAfterPrefix: false, hasSingleKeys: true };
const AFTER_G = { isAfterPrefix: true, hasSingleKeys: true };
const OFF = { isAfterPrefix: false, hasSingleKeys: false };
const LISTED = SHORTCUT_GROUPS.flatMap(({ shortcuts }) => shortcuts.flatMap(({ keys }) => keys));

describe("shortcuts", () => {
  it("take every key of the list, and no other letter", () => {
    const single = LISTED.filter((keys) => keys.length === 1);
    const taken = [..."abcdefghijklmnopqrstuvwxyz?/[]"].filter((key) =>
      matchShortcut(press(key), ON),
    );
    expect(taken.toSorted()).toEqual([...new Set([...single, "g"])].toSorted());
  });

  it.each(Object.entries(GO_KEYS))("lead after g with %s to %s", (key, href) => {
    expect(matchShortcut(press(key), AFTER_G)).toEqual({ kind: "go", href });
    expect(matchShortcut(press(key), ON)).not.toEqual({ kind: "go", href });
    expect(LISTED).toContain(`g ${key}`);
  });

  it("lead where the navigation says they do", () => {
    const shown = [...MAIN_DESTINATIONS, ...ACCOUNT_DESTINATIONS].flatMap(({ key, href }) =>
      key === undefined ? [] : [[key, href]],
    );
    expect(Object.fromEntries(shown)).toEqual(GO_KEYS);
  });

  it.each(["b", "?", "/", "[", "x", "g", "h"])("leave %s alone while somebody types", (key) => {
    expect(matchShortcut(press(key, { isTyping: true }), ON)).toBeNull();
  });

  it.each(["b", "?", "Escape", "k", "Enter"])("leave %s to an open dialog", (key) => {
    expect(matchShortcut(press(key, { isInDialog: true, hasCommand: true }), ON)).toBeNull();
  });

  it.each(["b", "r", "h", "/", "?"])("leave Ctrl, ⌘ and Alt with %s to the browser", (key) => {
    expect(matchShortcut(press(key, { hasCommand: true }), ON)).toBeNull();
    expect(matchShortcut(press(key, { hasAlt: true }), ON)).toBeNull();
  });

  it("open the menu with Ctrl K and send the ticket with Ctrl Enter, while typing too", () => {
    for (const situation of [ON, OFF]) {
      const typing = { hasCommand: true, isTyping: true };
      expect(matchShortcut(press("k", typing), situation)).toEqual({ kind: "commands" });
      expect(matchShortcut(press("Enter", typing), situation)).toEqual({
        kind: "ticket",
        command: "submit",
      });
    }
  });

  it.each([..."gjkxrhbsynlmf?/["])("can be switched off: %s", (key) => {
    expect(matchShortcut(press(key), OFF)).toBeNull();
  });

  it("center the book with Shift C, and leave c alone", () => {
    expect(matchShortcut(press("C", { hasShift: true }), ON)).toEqual({ kind: "center" });
    expect(matchShortcut(press("c"), ON)).toBeNull();
    expect(matchShortcut(press("C", { hasShift: true }), OFF)).toBeNull();
    expect(LISTED).toContain("Shift C");
  });

  it("take a letter in either case", () => {
    expect(matchShortcut(press("H"), ON)).toEqual({ kind: "hide" });
  });
});
