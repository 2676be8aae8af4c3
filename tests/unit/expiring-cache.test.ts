import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { ExpiringCache } from "@/lib/expiring-cache";

let at = 0;
let restore = () => {};
beforeEach(() => {
  at = 1_000_000;
  restore = setClock(() => at);
});
afterEach(() => restore());

describe("a cache that expires", () => {
  it("loads once for all who ask at the same time, and again when it is no longer fresh", async () => {
    const cache = new ExpiringCache<number>({ max: 10, freshMs: 100 });
    let loads = 0;
    const load = async () => (loads += 1);
    expect(await Promise.all([cache.get("a", load), cache.get("a", load)])).toEqual([1, 1]);
    at += 99;
    expect(await cache.get("a", load)).toBe(1);
    at += 1;
    expect(await cache.get("a", load)).toBe(2);
  });

  it("shows the old value for its stated time while the new one is on its way", async () => {
    const cache = new ExpiringCache<string>({ max: 10, freshMs: 100, staleMs: 50 });
    await cache.get("a", async () => "old");
    at += 149;
    expect(await cache.get("a", async () => "new")).toBe("old");
    await Promise.resolve();
    expect(await cache.get("a", async () => "newer")).toBe("new");
    at += 150;
    expect(await cache.get("a", async () => "newest")).toBe("newest");
  });

  it("keeps no failure, and shows no value that is too old because of one", async () => {
    const cache = new ExpiringCache<string>({ max: 10, freshMs: 100, staleMs: 50 });
    const fail = () => Promise.reject(new Error("down"));
    await expect(cache.get("a", fail)).rejects.toThrow("down");
    expect(await cache.get("a", async () => "up")).toBe("up");
    at += 120;
    expect(await cache.get("a", fail)).toBe("up");
    at += 30;
    await expect(cache.get("a", fail)).rejects.toThrow("down");
  });

  it("lets go of what was used longest ago", () => {
    const cache = new ExpiringCache<number>({ max: 2, freshMs: 100 });
    cache.set("a", 1);
    cache.set("b", 2);
    expect(cache.find("a")).toBe(1);
    cache.set("c", 3);
    expect([cache.find("a"), cache.find("b"), cache.find("c")]).toEqual([1, undefined, 3]);
  });

  it("keeps null as a value like any other", async () => {
    const cache = new ExpiringCache<string | null>({ max: 2, freshMs: 100 });
    await cache.get("a", async () => null);
    expect(await cache.get("a", async () => "found")).toBeNull();
  });
});
