import { describe, expect, it } from "vitest";
import { type Beat, createBookStore, type LiveBookWire } from "@/lib/client/book-store";

const live = (mark: number): LiveBookWire => ({
  book: {
    marketId: "0x1",
    tokenId: "1",
    bids: [],
    asks: [],
    tickSize: "0.01",
    at: "2026-11-21T12:00:00.000Z",
  },
  status: "open",
  mark,
  lastPrice: null,
});

/** A clock that runs what is due as it is moved on. */
function handBeat() {
  let now = 10_000;
  let due: { at: number; work: () => void }[] = [];
  const beat: Beat = {
    now: () => now,
    schedule: (work, delayMs) => due.push({ at: now + delayMs, work }),
  };
  const advance = (byMs: number) => {
    for (const until = now + byMs; now < until; now += 1) {
      const ready = due.filter(({ at }) => at <= now);
      due = due.filter(({ at }) => at > now);
      for (const { work } of ready) work();
    }
  };
  return { beat, advance, waiting: () => due.length };
}

function makeStore() {
  const hand = handBeat();
  const store = createBookStore({ live: live(0.5), orders: [], at: 1 }, hand.beat);
  const shown: number[] = [];
  store.subscribe(() => shown.push(store.get().live.mark));
  return { ...hand, store, shown };
}

describe("the store of a live book", () => {
  it("shows twenty updates a second as five at most, and ends with the last", () => {
    const { store, advance, shown } = makeStore();
    for (let index = 1; index <= 20; index += 1) {
      store.push({ live: live(index / 100) });
      advance(50);
    }
    advance(200);
    expect(shown.length).toBeLessThanOrEqual(6);
    expect(shown.at(-1)).toBe(0.2);
  });

  it("never has more than one flush waiting", () => {
    const { store, waiting } = makeStore();
    for (let index = 0; index < 100; index += 1) store.push({ at: index });
    expect(waiting()).toBe(1);
  });

  it("shows the first news at once after a quiet time", () => {
    const { store, advance, shown } = makeStore();
    store.push({ live: live(0.7) });
    advance(1);
    expect(shown).toEqual([0.7]);
  });

  it("holds still while something is pressed, for three seconds at most", () => {
    const { store, advance, shown } = makeStore();
    store.hold();
    store.push({ live: live(0.7) });
    advance(2_900);
    expect(shown).toEqual([]);
    advance(200);
    expect(shown).toEqual([0.7]);
  });

  it("shows nothing while paused and catches up when it goes on", () => {
    const { store, advance } = makeStore();
    store.setPaused(true);
    store.push({ live: live(0.7) });
    advance(5_000);
    expect(store.get()).toMatchObject({ isPaused: true, live: { mark: 0.5 } });
    store.setPaused(false);
    advance(201);
    expect(store.get()).toMatchObject({ isPaused: false, live: { mark: 0.7 } });
  });

  it("does not call what it started from live before anything has come in", () => {
    expect(makeStore().store.get().connection).toBe("connecting");
  });

  it("gives the same state until something changes, as React requires", () => {
    const { store } = makeStore();
    expect(store.get()).toBe(store.get());
  });
});
