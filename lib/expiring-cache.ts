import "server-only";
import { now } from "@/lib/clock";
import { notShowing, orLastKnown } from "@/lib/showing";

interface Limits {
  /** Entries kept; the one that was used longest ago goes first. */
  max: number;
  /** For how long an entry is as good as new. */
  freshMs: number;
  /** For how much longer an entry may be shown while a new one is on its way. */
  staleMs?: number;
  /** Under this name the entries are one for the bundles of a process, Next's and the server's. */
  name?: string;
}

interface Entry<Value> {
  value: Value;
  at: number;
}

const HOLDER = Symbol.for("ante.caches");
const holder = globalThis as typeof globalThis & { [HOLDER]?: Map<string, Map<string, unknown>> };

/** What was asked for stays in its bundle; errors of the one are strangers in the other. */
function sharedEntries<Value>(name: string): Map<string, Entry<Value>> {
  const all = (holder[HOLDER] ??= new Map());
  const known = all.get(name) ?? new Map<string, unknown>();
  all.set(name, known);
  return known as Map<string, Entry<Value>>;
}

/** Keeps what was expensive to get, for a stated time. Who asks at once shares one load. */
export class ExpiringCache<Value> {
  private readonly entries: Map<string, Entry<Value>>;
  private readonly loads = new Map<string, Promise<Value>>();

  constructor(private readonly limits: Limits) {
    this.entries = limits.name === undefined ? new Map() : sharedEntries(limits.name);
  }

  /**
   * A fresh value, a stale one that is being renewed, or the loaded one; for showing it, the last
   * one where it cannot be loaded. Failures are not kept.
   */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const fresh = this.find(key);
    if (fresh !== undefined) return Promise.resolve(fresh);
    const stale = this.find(key, this.limits.staleMs ?? 0);
    if (stale === undefined)
      return orLastKnown(
        () => this.load(key, load),
        () => this.last(key),
      );
    // Who is served the old value must not fail with the new one.
    this.load(key, load).catch(() => undefined);
    return Promise.resolve(stale);
  }

  /** The newest value however old, and when it was new. That there was none is no knowledge. */
  last(key: string): { value: Value; at: number } | null {
    const entry = this.entries.get(key);
    return entry && entry.value !== null ? { value: entry.value, at: entry.at } : null;
  }

  /** The value if it is fresh, or stale for no longer than said. */
  find(key: string, staleMs = 0): Value | undefined {
    const entry = this.entries.get(key);
    if (!entry || now() - entry.at >= this.limits.freshMs + staleMs) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, { value, at: now() });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.limits.max) return;
      this.entries.delete(oldest);
    }
  }

  private load(key: string, load: () => Promise<Value>): Promise<Value> {
    const running = this.loads.get(key);
    if (running) return running;
    const started = notShowing(load)
      .then((value) => {
        this.set(key, value);
        return value;
      })
      .finally(() => this.loads.delete(key));
    this.loads.set(key, started);
    return started;
  }
}
