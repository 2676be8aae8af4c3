import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Hints } from "@/lib/services/remote-orders/hints";
import type { StreamNews } from "@/lib/venue/trader";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Looks that last until they are ended. */
function watch() {
  const begun: string[] = [];
  const told: StreamNews[][] = [];
  const ends: (() => void)[] = [];
  const hints = new Hints((userId, news) => {
    begun.push(userId);
    told.push(news);
    return new Promise((resolve) => void ends.push(resolve));
  });
  const end = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { hints, begun, told, end };
}

it("a burst of hints is one look, and another account's are another one", async () => {
  const { hints, begun } = watch();
  for (let count = 0; count < 50; count += 1) hints.take("a", "something");
  hints.take("b", "something");
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a", "b"]);
});

it("what is told during a look is looked for after it, once", async () => {
  const { hints, begun, told, end } = watch();
  hints.take("a", "something");
  await vi.advanceTimersByTimeAsync(1_000);
  hints.take("a", { canceled: "0x1" });
  hints.take("a", { canceled: "0x2" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a"]);
  await end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a", "a"]);
  await end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a", "a"]);
  expect(told).toEqual([["something"], [{ canceled: "0x1" }, { canceled: "0x2" }]]);
});

it("stopping waits for the look that is under way and begins no other", async () => {
  const { hints, begun, end } = watch();
  hints.take("a", "something");
  await vi.advanceTimersByTimeAsync(1_000);
  hints.take("a", "something");
  hints.take("b", "something");
  let isStopped = false;
  const stopped = hints.stop().finally(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isStopped).toBe(false);
  await end();
  await stopped;
  hints.take("c", "something");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(["a"]);
});
