import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addBeats } from "@/lib/events/stream-session-events";
import type { ServerEvent } from "@/lib/server-events";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const BEAT: ServerEvent = { event: "beat", data: { requests: 0 } };
const readBeat = () => ({ requests: 0 });
const HEAD: ServerEvent = { comment: "head 1" };

/** Yields the events, each after a pause. */
async function* yieldAfter(pauseMs: number, events: ServerEvent[]): AsyncGenerator<ServerEvent> {
  for (const event of events) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    yield event;
  }
}

/** Reads a stream to its end while time passes. Returns each event with its time. */
async function readAll(events: AsyncGenerator<ServerEvent>): Promise<[number, ServerEvent][]> {
  const startedAt = performance.now();
  const received: [number, ServerEvent][] = [];
  const reading = (async () => {
    for await (const event of events) received.push([performance.now() - startedAt, event]);
  })();
  await vi.runAllTimersAsync();
  await reading;
  return received;
}

it("a quiet stream has a beat every second, and ends with its events", async () => {
  expect(await readAll(addBeats(yieldAfter(3_500, [HEAD]), readBeat))).toEqual([
    [1_000, BEAT],
    [2_000, BEAT],
    [3_000, BEAT],
    [3_500, HEAD],
  ]);
});

it("comments, which a browser hides from its page, delay no beat", async () => {
  const received = await readAll(
    addBeats(
      yieldAfter(
        400,
        Array.from({ length: 9 }, () => HEAD),
      ),
      readBeat,
    ),
  );
  const beats = received.filter(([, event]) => "event" in event);
  expect(beats.map(([at]) => at)).toEqual([1_000, 2_000, 3_000]);
  expect(received.filter(([, event]) => "comment" in event)).toHaveLength(9);
});

it("a stream of events without a pause has its beats too", async () => {
  async function* yieldBusily(): AsyncGenerator<ServerEvent> {
    for (let step = 0; step < 100; step += 1) {
      vi.advanceTimersByTime(50);
      yield HEAD;
    }
  }
  const received = await readAll(addBeats(yieldBusily(), readBeat));
  expect(received.filter(([, event]) => "event" in event)).toHaveLength(5);
});

it("a failure of the events is a failure of the stream", async () => {
  async function* fail(): AsyncGenerator<ServerEvent> {
    yield HEAD;
    throw new Error("no events");
  }
  const events = addBeats(fail(), readBeat);
  await events.next();
  await expect(events.next()).rejects.toThrow("no events");
});
