import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EventDebouncer } from "@/lib/orders/live/user-streams";
import type { UserStreamEvent } from "@/lib/venue/trader";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A handler whose calls run until the test ends them. */
function watch() {
  const begun: string[] = [];
  const handled: UserStreamEvent[][] = [];
  const ends: (() => void)[] = [];
  const debouncer = new EventDebouncer((userId, events) => {
    begun.push(userId);
    handled.push(events);
    return new Promise((resolve) => void ends.push(resolve));
  });
  const end = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { debouncer, begun, handled, end };
}

it("events within the delay lead to one call per account", async () => {
  const { debouncer, begun } = watch();
  for (let count = 0; count < 50; count += 1) debouncer.push("a", "other");
  debouncer.push("b", "other");
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a", "b"]);
});

it("events during a call lead to one more call after it", async () => {
  const { debouncer, begun, handled, end } = watch();
  debouncer.push("a", "other");
  await vi.advanceTimersByTimeAsync(1_000);
  debouncer.push("a", { canceled: "0x1" });
  debouncer.push("a", { canceled: "0x2" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a"]);
  await end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a", "a"]);
  await end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a", "a"]);
  expect(handled).toEqual([["other"], [{ canceled: "0x1" }, { canceled: "0x2" }]]);
});

it("stop waits for the running call and starts no other", async () => {
  const { debouncer, begun, end } = watch();
  debouncer.push("a", "other");
  await vi.advanceTimersByTimeAsync(1_000);
  debouncer.push("a", "other");
  debouncer.push("b", "other");
  let isStopped = false;
  const stopped = debouncer.stop().finally(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isStopped).toBe(false);
  await end();
  await stopped;
  debouncer.push("c", "other");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a"]);
});
