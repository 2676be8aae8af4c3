import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { type MarketStream, streamMarketEvents, takeStreamSlot } from "@/lib/markets/stream-market";
import type { ServerEvent } from "@/lib/server-events";
import { price, shares } from "@/lib/units";

const createSession = (id: string, userId: string) => ({
  id,
  principal: { userId, mode: "paper", keyId: null, scopes: [] } as const,
});

function snapshot(size: bigint) {
  const level = { price: price(620_000n), shares: shares(size) };
  return {
    live: {
      book: {
        marketId: "0x1",
        tokenId: "1",
        bids: [level],
        asks: [],
        tickSize: "0.01",
        at: new Date(),
      },
      status: "open" as const,
      mark: price(620_000n),
      lastPrice: null,
    },
    trades: [],
  };
}

/** Reads a stream for a while and returns the names of its events. */
async function listen(watched: Partial<MarketStream>, forMs: number): Promise<string[]> {
  const heard: ServerEvent[] = [];
  const leave = new AbortController();
  const events = streamMarketEvents({
    marketId: "0x1",
    read: async () => snapshot(1_000_000n),
    isSignedIn: async () => true,
    signal: leave.signal,
    ...watched,
  });
  const listening = (async () => {
    for await (const event of events) heard.push(event);
  })();
  await vi.advanceTimersByTimeAsync(forMs);
  leave.abort();
  await listening;
  return heard.map((event) => ("event" in event ? event.event : "comment"));
}

let restoreClock = () => {};
beforeEach(() => {
  vi.useFakeTimers();
  restoreClock = setClock(() => Date.now());
});
afterEach(() => {
  restoreClock();
  vi.useRealTimers();
});

describe("a market's stream", () => {
  it("sends the trades and the book first, then only that nothing changed", async () => {
    expect(await listen({}, 4_500)).toEqual(["trades", "book", "still", "still"]);
  });

  it("sends a changed book within a second", async () => {
    let size = 1_000_000n;
    const read = async () => snapshot((size += 1_000_000n));
    expect(await listen({ read }, 3_500)).toEqual(["trades", "book", "book", "book", "book"]);
  });

  it("sends nothing while the market can't be read, so that clients detect stale data", async () => {
    const read = () => Promise.reject(new Error("no database"));
    expect(await listen({ read }, 14_000)).toEqual([]);
  });

  it("keeps the connection open with a comment every 15 seconds", async () => {
    const heard = await listen({ read: () => Promise.reject(new Error("no database")) }, 46_000);
    expect(heard).toEqual(["comment", "comment", "comment"]);
  });

  it("ends within 30 seconds of the session's end", async () => {
    const heard = await listen({ isSignedIn: async () => false }, 40_000);
    expect(heard.at(-1)).toBe("ended");
    expect(heard.filter((name) => name === "still").length).toBeLessThanOrEqual(15);
  });

  it("ends after ten minutes, so that the browser reconnects", async () => {
    const ended = listen({}, 11 * 60_000);
    const heard = await ended;
    expect(heard.length).toBeLessThanOrEqual(2 + 300 + 40);
  });

  it("leaves no timer after the client disconnects", async () => {
    await listen({}, 2_500);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the streams of a session", () => {
  it("are limited to five, and an ended one frees its slot", () => {
    const slots = Array.from({ length: 5 }, () => takeStreamSlot(createSession("ses_a", "usr_a")));
    expect(() => takeStreamSlot(createSession("ses_a", "usr_a"))).toThrow(/Too many live streams/);
    expect(takeStreamSlot(createSession("ses_b", "usr_a"))).toBeTypeOf("function");
    slots[0]?.();
    expect(takeStreamSlot(createSession("ses_a", "usr_a"))).toBeTypeOf("function");
  });
});
