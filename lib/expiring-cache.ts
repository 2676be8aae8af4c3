import "server-only";
import { LRUCache } from "lru-cache";
import { now } from "@/lib/clock";
import { staleIfError, withoutStaleReads } from "@/lib/stale-reads";

interface Limits {
  /** Maximum number of entries; the least recently used one is evicted first. */
  max: number;
  /** How long an entry is fresh. */
  freshMs: number;
  /** How much longer `get` returns the stale entry while it refreshes it. */
  staleMs?: number;
  /** Caches with the same name are one cache for the bundles of a process: Next's and the server's. */
  name?: string;
}

interface Entry<Value> {
  value: Value;
  at: number;
}

type Load<Value> = () => Promise<Value>;
type Entries<Value> = LRUCache<string, Entry<Value>, Load<Value>>;

const HOLDER = Symbol.for("ante.caches");
const holder = globalThis as typeof globalThis & { [HOLDER]?: Map<string, unknown> };

/** Caches values for a limited time. Concurrent callers share one load. */
export class ExpiringCache<Value> {
  private readonly entries: Entries<Value>;
  private readonly staleMs: number;

  constructor({ name, staleMs = 0, ...limits }: Limits) {
    this.staleMs = staleMs;
    this.entries = name === undefined ? createEntries(limits) : shareEntries(name, limits);
  }

  /**
   * Returns the fresh value, a stale value while it refreshes, or the loaded value. Inside of
   * `withStaleReads`, falls back to the last value when the load fails. Failures are not cached.
   *
   * @param forceRefresh also loads when the value is fresh. A running load counts as the refresh.
   */
  get(key: string, load: Load<Value>, { forceRefresh = false } = {}): Promise<Value> {
    return staleIfError(
      async () => {
        const entry = await this.entries.forceFetch(key, {
          context: () => withoutStaleReads(load),
          allowStale: !forceRefresh && this.isRecent(key, this.staleMs),
          forceRefresh,
        });
        return entry.value;
      },
      () => this.last(key),
    );
  }

  /** The newest value of any age and the time it was set. A cached null does not count. */
  last(key: string): { value: Value; at: number } | null {
    const entry = this.entries.peek(key, { allowStale: true });
    return entry && entry.value !== null ? entry : null;
  }

  /** The value if it is fresh, or stale for at most `staleMs`. */
  find(key: string, staleMs = 0): Value | undefined {
    if (!this.isRecent(key, staleMs)) return undefined;
    return this.entries.get(key, { allowStale: true })?.value;
  }

  /** Sets a value. The result of a running load does not replace it. */
  set(key: string, value: Value): void {
    this.entries.set(key, { value, at: now() });
  }

  private isRecent(key: string, staleMs: number): boolean {
    return this.entries.getRemainingTTL(key) >= -staleMs;
  }
}

function createEntries<Value>({ max, freshMs }: Pick<Limits, "max" | "freshMs">): Entries<Value> {
  return new LRUCache({
    max,
    // An entry is still fresh in the last millisecond of its ttl.
    ttl: freshMs - 1,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _stale, { context: load }) => ({ value: await load(), at: now() }),
    // Keeps stale values for `last`.
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    // Evicting an entry or setting a value does not fail the callers of a running load.
    ignoreFetchAbort: true,
  });
}

function shareEntries<Value>(
  name: string,
  limits: Pick<Limits, "max" | "freshMs">,
): Entries<Value> {
  const all = (holder[HOLDER] ??= new Map());
  const shared = (all.get(name) as Entries<Value> | undefined) ?? createEntries<Value>(limits);
  all.set(name, shared);
  return shared;
}
