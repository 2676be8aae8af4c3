import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dropPending, findPending, storePending } from "@/lib/browser/pending-order";

const pending = {
  input: { tokenId: "7", action: "BUY", orderType: "market", amount: 5, idempotencyKey: "ui-1" },
  sentAt: 1_795_000_000_000,
} as const;

/** The tab's storage, which outlives its pages. */
let storage: Map<string, string>;

beforeEach(() => {
  storage = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, text: string) => storage.set(name, text),
    removeItem: (name: string) => storage.delete(name),
  });
});

afterEach(() => vi.unstubAllGlobals());

describe("an order that was sent", () => {
  it("is found by the next page with its key until its outcome is known", () => {
    storePending("m", pending);
    expect(findPending("m")).toEqual(pending);
    dropPending("m", "ui-1");
    expect(findPending("m")).toBeNull();
  });

  it("is kept when another order's outcome becomes known", () => {
    storePending("m", pending);
    dropPending("m", "ui-0");
    expect(findPending("m")).toEqual(pending);
  });

  it("is found only by its own market's ticket", () => {
    storePending("m", pending);
    expect(findPending("another")).toBeNull();
  });

  it.each([
    "",
    "{",
    "null",
    "7",
    "{}",
    JSON.stringify({ ...pending, sentAt: "now" }),
    JSON.stringify({ ...pending, input: { ...pending.input, idempotencyKey: "" } }),
  ])("is not read from invalid storage: %s", (text) => {
    storage.set("ante-sent:m", text);
    expect(findPending("m")).toBeNull();
  });

  it("is placed even if storage is unavailable", () => {
    vi.stubGlobal("sessionStorage", {
      getItem: refuse,
      setItem: refuse,
      removeItem: refuse,
    });
    expect(() => {
      storePending("m", pending);
      dropPending("m", "ui-1");
    }).not.toThrow();
    expect(findPending("m")).toBeNull();
  });
});

function refuse(): never {
  throw new Error("storage is switched off");
}
