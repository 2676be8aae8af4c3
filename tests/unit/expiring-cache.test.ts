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

describe("ExpiringCache", () => {
  it("loads once for concurrent callers, and again after the value expires", async () => {
    const cache = new ExpiringCache<number>({ max: 10, freshMs: 100 });
    let loads = 0;
    const load = async () => (loads += 1);
    expect(await Promise.all([cache.get("a", load), cache.get("a", load)])).toEqual([1, 1]);
    at += 99;
    expect(await cache.get("a", load)).toBe(1);
    at += 1;
    expect(await cache.get("a", load)).toBe(2);
  });

  it("returns the stale value for `staleMs` while it refreshes", async () => {
    const cache = new ExpiringCache<string>({ max: 10, freshMs: 100, staleMs: 50 });
    await cache.get("a", async () => "old");
    at += 149;
    expect(await cache.get("a", async () => "new")).toBe("old");
    await expect.poll(() => cache.find("a")).toBe("new");
    expect(await cache.get("a", async () => "newer")).toBe("new");
    at += 150;
    expect(await cache.get("a", async () => "newest")).toBe("newest");
  });

  it("caches no failure, and returns no value older than `staleMs`", async () => {
    const cache = new ExpiringCache<string>({ max: 10, freshMs: 100, staleMs: 50 });
    const fail = () => Promise.reject(new Error("down"));
    await expect(cache.get("a", fail)).rejects.toThrow("down");
    expect(await cache.get("a", async () => "up")).toBe("up");
    at += 120;
    expect(await cache.get("a", fail)).toBe("up");
    at += 30;
    await expect(cache.get("a", fail)).rejects.toThrow("down");
  });

  it("loads a fresh value again for `forceRefresh`, and keeps it when that fails", async () => {
    const cache = new ExpiringCache<string>({ max: 10, freshMs: 100 });
    await cache.get("a", async () => "old");
    const fail = () => Promise.reject(new Error("down"));
    await expect(cache.get("a", fail, { forceRefresh: true })).rejects.toThrow("down");
    expect(cache.find("a")).toBe("old");
    expect(await cache.get("a", async () => "new", { forceRefresh: true })).toBe("new");
    expect(cache.find("a")).toBe("new");
  });

  it("keeps a value that is set while an earlier load runs", async () => {
    const cache = new ExpiringCache<string>({ max: 10, freshMs: 100 });
    let end = (_value: string) => {};
    const loading = cache.get("a", () => new Promise((resolve) => void (end = resolve)));
    cache.set("a", "set later");
    end("loaded");
    expect(await loading).toBe("loaded");
    expect(cache.find("a")).toBe("set later");
  });

  it("finishes a load whose entry is evicted meanwhile", async () => {
    const cache = new ExpiringCache<string>({ max: 1, freshMs: 100 });
    let end = (_value: string) => {};
    const loading = cache.get("a", () => new Promise((resolve) => void (end = resolve)));
    cache.set("b", "other");
    end("loaded");
    expect(await loading).toBe("loaded");
    expect(cache.find("b")).toBe("other");
  });

  it("evicts the least recently used entry", () => {
    const cache = new ExpiringCache<number>({ max: 2, freshMs: 100 });
    cache.set("a", 1);
    cache.set("b", 2);
    expect(cache.find("a")).toBe(1);
    cache.set("c", 3);
    expect([cache.find("a"), cache.find("b"), cache.find("c")]).toEqual([1, undefined, 3]);
  });

  it("caches null like any other value", async () => {
    const cache = new ExpiringCache<string | null>({ max: 2, freshMs: 100 });
    await cache.get("a", async () => null);
    expect(await cache.get("a", async () => "found")).toBeNull();
  });
});
