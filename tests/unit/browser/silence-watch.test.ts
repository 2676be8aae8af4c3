import { afterEach, describe, expect, it, vi } from "vitest";
import { CHECK_EVERY_MS, createSilenceWatch, isReplying } from "@/lib/browser/silence-watch";

/** A watch whose clock and service the test plays. `says` lists the alarms and their ends. */
function watchByHand() {
  let now = 1_800_000_000_000;
  const says: boolean[] = [];
  let asked = 0;
  const watch = createSilenceWatch(
    { ask: () => (asked += 1), onChange: (isSilent) => says.push(isSilent) },
    now,
  );
  /** Lets time pass, with a check at each interval. */
  const pass = (ms: number, intervalMs: number = CHECK_EVERY_MS) => {
    for (let passed = 0; passed < ms; passed += intervalMs) watch.check((now += intervalMs));
  };
  return { hear: watch.hear, pass, says, count: () => asked };
}

it("raises the alarm once after 3.5 seconds without a sign of life, and asks the service before", () => {
  const { pass, says, count } = watchByHand();
  pass(2_000);
  expect(count()).toBe(0);
  pass(500);
  expect(count()).toBe(1);
  expect(says).toEqual([]);
  pass(1_000);
  expect(says).toEqual([true]);
  pass(10_000);
  expect(says).toEqual([true]);
});

it("asks again every two seconds while the service is silent", () => {
  const { pass, count } = watchByHand();
  pass(2_500 + 10_000);
  expect(count()).toBe(6);
});

it("a beat each second keeps it quiet, and it asks nothing", () => {
  const { hear, pass, says, count } = watchByHand();
  for (let beat = 0; beat < 60; beat += 1) {
    pass(1_000);
    hear();
  }
  expect(says).toEqual([]);
  expect(count()).toBe(0);
});

it("a reply to the question prevents the alarm", () => {
  const { hear, pass, says } = watchByHand();
  for (let silence = 0; silence < 20; silence += 1) {
    pass(2_500);
    hear();
  }
  expect(says).toEqual([]);
});

it("a sign of life ends the alarm at once", () => {
  const { hear, pass, says } = watchByHand();
  pass(5_000);
  hear();
  expect(says).toEqual([true, false]);
});

it.each([
  ["once a second", 1_000],
  ["once a minute", 60_000],
])("timers that are throttled to %s raise no alarm", (_, intervalMs) => {
  const { pass, says, count } = watchByHand();
  pass(10 * intervalMs, intervalMs);
  expect(says).toEqual([]);
  expect(count()).toBe(0);
});

it("a laptop that wakes, or a page that was busy, has the whole time again", () => {
  const { pass, says } = watchByHand();
  pass(3_000);
  pass(3_600_000, 3_600_000);
  expect(says).toEqual([]);
  pass(3_000);
  expect(says).toEqual([]);
  pass(500);
  expect(says).toEqual([true]);
});

it("an alarm lasts through sleep until there is a sign of life", () => {
  const { hear, pass, says } = watchByHand();
  pass(4_000);
  pass(3_600_000, 3_600_000);
  expect(says).toEqual([true]);
  hear();
  expect(says).toEqual([true, false]);
});

describe("a reply of the service", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const reply = (status: number, headers: Record<string, string> = {}) =>
    vi.stubGlobal("fetch", async () => new Response(null, { status, headers }));

  it("counts with any status that is its own, also a 502 without a database", async () => {
    reply(200);
    expect(await isReplying(1_000)).toBe(true);
    reply(502, { "x-request-id": "req_1" });
    expect(await isReplying(1_000)).toBe(true);
  });

  it.each([502, 504])("is not what a gateway says for it with %s", async (status) => {
    reply(status);
    expect(await isReplying(1_000)).toBe(false);
  });

  it("is not a connection that fails", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed to fetch")));
    expect(await isReplying(1_000)).toBe(false);
  });
});
