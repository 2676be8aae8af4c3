import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ACCOUNT_DESTINATIONS, MAIN_DESTINATIONS } from "@/components/shell/navigation";
import {
  createShortcutListener,
  SHORTCUT_GROUPS,
  type ShortcutAction,
} from "@/lib/browser/shortcuts";

/** Has the parts of a browser's event that tinykeys reads. Node has no such class. */
class FakeKeyboardEvent extends Event {
  readonly code = "";
  constructor(
    readonly key: string,
    readonly repeat: boolean,
    readonly modifiers: readonly string[],
  ) {
    super("keydown", { cancelable: true });
  }
  getModifierState = (name: string) => this.modifiers.includes(name);
}

beforeAll(() => vi.stubGlobal("KeyboardEvent", FakeKeyboardEvent));
afterAll(() => vi.unstubAllGlobals());

interface Options {
  hasSingleKeys?: boolean;
  isTyping?: boolean;
  isInDialog?: boolean;
  /** Whether the page can perform the actions. */
  canPerform?: boolean;
}

/** Presses keys such as "Shift+C", "g" or "repeat+j", and returns the actions. */
function press(presses: readonly string[], options: Options = {}) {
  const { hasSingleKeys = true, isTyping = false, isInDialog = false, canPerform = true } = options;
  const actions: ShortcutAction[] = [];
  const listen = createShortcutListener({
    hasSingleKeys,
    perform: (action) => {
      actions.push(action);
      return canPerform;
    },
  });
  let isHandled = false;
  for (const one of presses) {
    const parts = one.split("+");
    const key = parts.pop() ?? "";
    const event = new FakeKeyboardEvent(key, parts.includes("repeat"), parts);
    listen(event as unknown as KeyboardEvent, { isTyping, isInDialog });
    isHandled = event.defaultPrevented;
  }
  return { actions, isHandled };
}

const NOTHING = { actions: [], isHandled: false };
const OFF = { hasSingleKeys: false };
const LISTED = SHORTCUT_GROUPS.flatMap(({ shortcuts }) =>
  shortcuts.flatMap(({ keys }) => Object.entries(keys)),
);
const SINGLE = LISTED.map(([keys]) => keys).filter((keys) => keys.length === 1);
const PAGES = LISTED.flatMap(([keys, action]) =>
  action?.kind === "go" ? [[keys.replace("g ", ""), action.href] as const] : [],
);

describe("shortcuts", () => {
  it("handle every key of the list, and no other letter", () => {
    const taken = [..."abcdefghijklmnopqrstuvwxyz?/[]"].filter((key) => press([key]).isHandled);
    expect(taken.toSorted()).toEqual([...new Set(SINGLE)].toSorted());
  });

  it.each(PAGES)("open a page after g: %s opens %s", (key, href) => {
    expect(press(["g", key])).toEqual({ actions: [{ kind: "go", href }], isHandled: true });
    expect(press([key]).actions).not.toContainEqual({ kind: "go", href });
  });

  it("forget g after another key, and still perform that key's action", () => {
    expect(press(["g", "h", "o"]).actions).toEqual([{ kind: "hide" }]);
  });

  it("match the keys of the navigation", () => {
    const shown = [...MAIN_DESTINATIONS, ...ACCOUNT_DESTINATIONS].flatMap(({ key, href }) =>
      key === undefined ? [] : [[key, href]],
    );
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(PAGES));
  });

  it.each(["b", "?", "/", "[", "x", "g", "h"])("ignore %s while the user types", (key) => {
    expect(press([key], { isTyping: true })).toEqual(NOTHING);
  });

  it.each(["b", "?", "Escape", "Control+k", "Control+Enter"])(
    "leave %s to an open dialog",
    (key) => {
      expect(press([key], { isInDialog: true })).toEqual(NOTHING);
    },
  );

  it.each(["b", "r", "h", "/", "?"])("leave Ctrl, ⌘ and Alt with %s to the browser", (key) => {
    for (const modifier of ["Control", "Meta", "Alt"]) {
      expect(press([`${modifier}+${key}`])).toEqual(NOTHING);
    }
  });

  it.each(["Control", "Meta"])(
    "open the menu with %s K and send the ticket with %s Enter, while typing too",
    (modifier) => {
      for (const options of [{}, OFF, { isTyping: true }]) {
        expect(press([`${modifier}+k`], options).actions).toEqual([{ kind: "commands" }]);
        expect(press([`${modifier}+Enter`], options).actions).toEqual([
          { kind: "ticket", command: "submit" },
        ]);
      }
    },
  );

  it.each([..."jkxrhbsynlmf?/["])("can be turned off: %s", (key) => {
    expect(press([key], OFF)).toEqual(NOTHING);
    expect(press(["g", key], OFF)).toEqual(NOTHING);
  });

  it("center the book with Shift C, and ignore c", () => {
    expect(press(["Shift+C"]).actions).toEqual([{ kind: "center" }]);
    expect(press(["c"])).toEqual(NOTHING);
    expect(press(["Shift+C"], OFF)).toEqual(NOTHING);
  });

  it("accept upper and lower case, and keys that need Shift on some layouts", () => {
    for (const key of ["H", "h", "Shift+H"]) {
      expect(press([key]).actions).toEqual([{ kind: "hide" }]);
    }
    for (const key of ["?", "Shift+?"]) expect(press([key]).actions).toEqual([{ kind: "list" }]);
    for (const key of ["/", "Shift+/"]) expect(press([key]).actions).toEqual([{ kind: "search" }]);
  });

  it.each(["[", "AltGraph+[", "Alt+[", "Control+Alt+["])(
    "collapse the sidebar with a typed bracket: %s",
    (key) => {
      expect(press([key]).actions).toEqual([{ kind: "rail" }]);
    },
  );

  it("repeat only the moves between rows while a key is held", () => {
    expect(press(["j", "repeat+j"]).actions).toHaveLength(2);
    expect(press(["h", "repeat+h"]).actions).toHaveLength(1);
    expect(press(["g", "repeat+g", "p"]).actions).toEqual([{ kind: "go", href: "/" }]);
  });

  it("leave a key to the page if its action is not possible there", () => {
    const { actions, isHandled } = press(["b"], { canPerform: false });
    expect(actions).toEqual([{ kind: "ticket", command: "buy" }]);
    expect(isHandled).toBe(false);
  });
});
