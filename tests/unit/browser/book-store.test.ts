import { describe, expect, it } from "vitest";
import { type Scheduler, createBookStore, type LiveBookWire } from "@/lib/browser/book-store";

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

/** A clock that runs due work when it is advanced. */
function handBeat() {
  let now = 10_000;
  let due: { at: number; work: () => void }[] = [];
  const beat: Scheduler = {
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
  const store = createBookStore({ live: live(0.5), trades: [], at: 1 }, hand.beat);
  const shown: number[] = [];
  store.subscribe(() => shown.push(store.get().live.mark));
  return { ...hand, store, shown };
}

describe("the store of a live book", () => {
  it("shows twenty updates a second as at most five, and ends with the last one", () => {
    const { store, advance, shown } = makeStore();
    for (let index = 1; index <= 20; index += 1) {
      store.push({ live: live(index / 100) });
      advance(50);
    }
    advance(200);
    expect(shown.length).toBeLessThanOrEqual(6);
    expect(shown.at(-1)).toBe(0.2);
  });

  it("never schedules more than one flush", () => {
    const { store, waiting } = makeStore();
    for (let index = 0; index < 100; index += 1) store.push({ at: index });
    expect(waiting()).toBe(1);
  });

  it("shows the first update after a pause immediately", () => {
    const { store, advance, shown } = makeStore();
    store.push({ live: live(0.7) });
    advance(1);
    expect(shown).toEqual([0.7]);
  });

  it("doesn't change while something is pressed, for at most three seconds", () => {
    const { store, advance, shown } = makeStore();
    store.hold();
    store.push({ live: live(0.7) });
    advance(2_900);
    expect(shown).toEqual([]);
    advance(200);
    expect(shown).toEqual([0.7]);
  });

  it("shows no updates while paused, and catches up when resumed", () => {
    const { store, advance } = makeStore();
    store.setPaused(true);
    store.push({ live: live(0.7) });
    advance(5_000);
    expect(store.get()).toMatchObject({ isPaused: true, live: { mark: 0.5 } });
    store.setPaused(false);
    advance(201);
    expect(store.get()).toMatchObject({ isPaused: false, live: { mark: 0.7 } });
  });

  it("stays connecting until the first update", () => {
    expect(makeStore().store.get().connection).toBe("connecting");
  });

  it("returns the same state object until something changes, as React requires", () => {
    const { store } = makeStore();
    expect(store.get()).toBe(store.get());
  });
});
