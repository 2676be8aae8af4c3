import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
import {
  isShowing,
  merge,
  orFromRecord,
  orLastKnown,
  showing,
  shownAt,
  type Silence,
} from "@/lib/showing";

const silent = () => Promise.reject(new AppError("UPSTREAM_UNAVAILABLE", "nobody is there"));
const broken = () => Promise.reject(new AppError("DATABASE_UNAVAILABLE", "no database"));
const never = () => new Promise<string>(() => {});

let at = 0;
let restore = () => {};
beforeEach(() => {
  at = 1_000_000;
  restore = setClock(() => at);
});
afterEach(() => restore());

describe("what is only shown", () => {
  it("is the last known while the venue is silent, and says from when and why", async () => {
    const shown = await showing(() => orLastKnown(silent, () => ({ value: "old", at: 5 })));
    const silence = { since: 5, code: "UPSTREAM_UNAVAILABLE", message: "nobody is there" };
    expect(shown).toEqual({ isKnown: true, value: "old", silence });
    expect(shownAt(shown.silence)).toBe(5);
  });

  it("is not there when nothing was ever known, and is new when the venue answers", async () => {
    const unknown = await showing(() => orLastKnown(silent, () => null));
    expect(unknown).toMatchObject({ isKnown: false, silence: { since: null } });
    expect(shownAt(unknown.silence)).toBe(0);
    const fresh = await showing(() =>
      orLastKnown(
        async () => "new",
        () => ({ value: "old", at: 5 }),
      ),
    );
    expect(fresh).toEqual({ isKnown: true, value: "new", silence: null });
    expect(shownAt(null)).toBe(at);
  });

  it("does not wait long for a venue that does not answer, and then not again", async () => {
    const startedAt = performance.now();
    const last = () => ({ value: "old", at: 5 });
    const shown = await showing(async () => [
      await orLastKnown(never, last),
      await orLastKnown(never, last),
      await orLastKnown(never, last),
    ]);
    expect(shown).toMatchObject({
      value: ["old", "old", "old"],
      silence: { code: "UPSTREAM_TIMEOUT", since: 5 },
    });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it("is as old as its oldest part, and of no time when a part was never known", () => {
    const of = (since: number | null): Silence => ({
      since,
      code: "UPSTREAM_ERROR",
      message: "no",
    });
    expect(merge(of(7), of(5)).since).toBe(5);
    expect(merge(of(7), of(null)).since).toBeNull();
    expect(merge(null, of(7)).since).toBe(7);
    expect(merge(null, null)).toBeNull();
  });

  it("is taken from the record where only that tells of it", async () => {
    const recorded = async () => "written down";
    const shown = await showing(() => orFromRecord(silent, recorded));
    expect(shown).toMatchObject({ value: "written down", silence: { since: null } });
    const neither = await showing(() => orFromRecord(silent, async () => null));
    expect(neither.isKnown).toBe(false);
    await expect(orFromRecord(silent, recorded)).rejects.toThrow("nobody is there");
  });

  it("hides no failure of our own", async () => {
    const last = () => ({ value: "old", at: 5 });
    await expect(showing(() => orLastKnown(broken, last))).rejects.toThrow("no database");
    await expect(showing(() => orFromRecord(broken, async () => "x"))).rejects.toThrow();
    await expect(showing(broken)).rejects.toThrow("no database");
  });
});

describe("a cache", () => {
  const make = () => new ExpiringCache<string | null>({ max: 10, freshMs: 100 });

  it("shows its last value of any age, and hands it to nobody else", async () => {
    const cache = make();
    await cache.get("a", async () => "old");
    at += 1_000_000;
    const shown = await showing(() => cache.get("a", silent));
    expect(shown).toMatchObject({ value: "old", silence: { since: 1_000_000 } });
    await expect(cache.get("a", silent)).rejects.toThrow("nobody is there");
    expect(await cache.get("a", async () => "new")).toBe("new");
  });

  it("does not show that there was nothing", async () => {
    const cache = make();
    await cache.get("a", async () => null);
    at += 1_000;
    expect((await showing(() => cache.get("a", silent))).isKnown).toBe(false);
  });

  it("loads on behalf of a page what is as good for everybody", async () => {
    const [inner, outer] = [make(), make()];
    await inner.get("a", async () => "old");
    at += 1_000;
    const load = async () => {
      expect(isShowing()).toBe(false);
      return inner.get("a", silent);
    };
    expect((await showing(() => outer.get("b", load))).isKnown).toBe(false);
    expect(outer.find("b")).toBeUndefined();
  });

  it("shares its entries, by name, with the other bundles of the process", async () => {
    const name = `test ${Math.random()}`;
    const [one, other] = [0, 1].map(
      () => new ExpiringCache<string>({ max: 10, freshMs: 100, name }),
    );
    await one?.get("a", async () => "known");
    expect(other?.find("a")).toBe("known");
    expect(make().find("a")).toBeUndefined();
  });
});
