import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
import {
  allowsStaleReads,
  mergeOutages,
  recordIfError,
  staleIfError,
  withStaleReads,
  getDataTime,
  type VenueOutage,
} from "@/lib/stale-reads";

const unreachable = () => Promise.reject(new AppError("UPSTREAM_UNAVAILABLE", "no response"));
const broken = () => Promise.reject(new AppError("DATABASE_UNAVAILABLE", "no database"));
const never = () => new Promise<string>(() => {});

let at = 0;
let restore = () => {};
beforeEach(() => {
  at = 1_000_000;
  restore = setClock(() => at);
});
afterEach(() => restore());

describe("withStaleReads", () => {
  it("returns the last known value during an outage, with its time and the reason", async () => {
    const shown = await withStaleReads(() =>
      staleIfError(unreachable, () => ({ value: "old", at: 5 })),
    );
    const outage = { since: 5, code: "UPSTREAM_UNAVAILABLE", message: "no response" };
    expect(shown).toEqual({ isKnown: true, value: "old", outage });
    expect(getDataTime(shown.outage)).toBe(5);
  });

  it("returns nothing when no value is known, and a fresh value when the venue responds", async () => {
    const unknown = await withStaleReads(() => staleIfError(unreachable, () => null));
    expect(unknown).toMatchObject({ isKnown: false, outage: { since: null } });
    expect(getDataTime(unknown.outage)).toBe(0);
    const fresh = await withStaleReads(() =>
      staleIfError(
        async () => "new",
        () => ({ value: "old", at: 5 }),
      ),
    );
    expect(fresh).toEqual({ isKnown: true, value: "new", outage: null });
    expect(getDataTime(null)).toBe(at);
  });

  it("waits once, for a limited time, when the venue does not respond", async () => {
    const startedAt = performance.now();
    const last = () => ({ value: "old", at: 5 });
    const shown = await withStaleReads(async () => [
      await staleIfError(never, last),
      await staleIfError(never, last),
      await staleIfError(never, last),
    ]);
    expect(shown).toMatchObject({
      value: ["old", "old", "old"],
      outage: { code: "UPSTREAM_TIMEOUT", since: 5 },
    });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it("takes the time of the oldest part, or none when a part was never read", () => {
    const of = (since: number | null): VenueOutage => ({
      since,
      code: "UPSTREAM_ERROR",
      message: "no",
    });
    expect(mergeOutages(of(7), of(5)).since).toBe(5);
    expect(mergeOutages(of(7), of(null)).since).toBeNull();
    expect(mergeOutages(null, of(7)).since).toBe(7);
    expect(mergeOutages(null, null)).toBeNull();
  });

  it("falls back to the record when only the record has the value", async () => {
    const recorded = async () => "written down";
    const shown = await withStaleReads(() => recordIfError(unreachable, recorded));
    expect(shown).toMatchObject({ value: "written down", outage: { since: null } });
    const neither = await withStaleReads(() => recordIfError(unreachable, async () => null));
    expect(neither.isKnown).toBe(false);
    await expect(recordIfError(unreachable, recorded)).rejects.toThrow("no response");
  });

  it("throws failures that are not outages", async () => {
    const last = () => ({ value: "old", at: 5 });
    await expect(withStaleReads(() => staleIfError(broken, last))).rejects.toThrow("no database");
    await expect(withStaleReads(() => recordIfError(broken, async () => "x"))).rejects.toThrow();
    await expect(withStaleReads(broken)).rejects.toThrow("no database");
  });
});

describe("a cache", () => {
  const make = () => new ExpiringCache<string | null>({ max: 10, freshMs: 100 });

  it("returns its last value of any age on pages only", async () => {
    const cache = make();
    await cache.get("a", async () => "old");
    at += 1_000_000;
    const shown = await withStaleReads(() => cache.get("a", unreachable));
    expect(shown).toMatchObject({ value: "old", outage: { since: 1_000_000 } });
    await expect(cache.get("a", unreachable)).rejects.toThrow("no response");
    expect(await cache.get("a", async () => "new")).toBe("new");
  });

  it("does not fall back to a cached null", async () => {
    const cache = make();
    await cache.get("a", async () => null);
    at += 1_000;
    expect((await withStaleReads(() => cache.get("a", unreachable))).isKnown).toBe(false);
  });

  it("loads without stale reads, even for a page", async () => {
    const [inner, outer] = [make(), make()];
    await inner.get("a", async () => "old");
    at += 1_000;
    const load = async () => {
      expect(allowsStaleReads()).toBe(false);
      return inner.get("a", unreachable);
    };
    expect((await withStaleReads(() => outer.get("b", load))).isKnown).toBe(false);
    expect(outer.find("b")).toBeUndefined();
  });

  it("shares its entries by name with the other bundles of the process", async () => {
    const name = `test ${Math.random()}`;
    const [one, other] = [0, 1].map(
      () => new ExpiringCache<string>({ max: 10, freshMs: 100, name }),
    );
    await one?.get("a", async () => "known");
    expect(other?.find("a")).toBe("known");
    expect(make().find("a")).toBeUndefined();
  });

  it("shares running loads and their errors by name with the other bundles", async () => {
    vi.resetModules();
    const bundle = {
      ...(await import("@/lib/expiring-cache")),
      ...(await import("@/lib/stale-reads")),
    };
    expect(bundle.ExpiringCache).not.toBe(ExpiringCache);
    const limits = { max: 10, freshMs: 100, name: `test ${Math.random()}` };
    const [own, other] = [
      new ExpiringCache<string>(limits),
      new bundle.ExpiringCache<string>(limits),
    ];
    own.set("a", "old");
    at += 1_000;
    const failing = own.get("a", unreachable);
    const shown = bundle.withStaleReads(() => other.get("a", async () => "not loaded"));
    await expect(failing).rejects.toThrow("no response");
    expect(await shown).toMatchObject({ value: "old", outage: { code: "UPSTREAM_UNAVAILABLE" } });
  });
});
