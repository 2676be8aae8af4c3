import { afterEach, expect, it, vi } from "vitest";
import { readOptional } from "@/lib/optional-read";

afterEach(() => vi.useRealTimers());

it("an optional read returns its value", async () => {
  expect(await readOptional("not read", "none", async () => "value")).toBe("value");
});

it("an optional read that fails returns the fallback", async () => {
  const fail = async () => Promise.reject(new Error("down"));
  expect(await readOptional("not read", "none", fail)).toBe("none");
});

it("an optional read that doesn't end returns the fallback after a second", async () => {
  vi.useFakeTimers();
  const reading = readOptional("not read", "none", () => new Promise<string>(() => {}));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await reading).toBe("none");
});
