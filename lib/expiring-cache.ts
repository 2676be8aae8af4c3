import "server-only";
import { now } from "@/lib/clock";

interface Limits {
  /** Entries kept; the one that was used longest ago goes first. */
  max: number;
  /** For how long an entry is as good as new. */
  freshMs: number;
  /** For how much longer an entry may be shown while a new one is on its way. */
  staleMs?: number;
}

interface Entry<Value> {
  value: Value;
  at: number;
}

/** Keeps what was expensive to get, for a stated time. Who asks at once shares one load. */
export class ExpiringCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly loads = new Map<string, Promise<Value>>();

  constructor(private readonly limits: Limits) {}

  /** A fresh value, a stale one that is being renewed, or the loaded one. Failures are not kept. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const fresh = this.find(key);
    if (fresh !== undefined) return Promise.resolve(fresh);
    const loading = this.load(key, load);
    const stale = this.find(key, this.limits.staleMs ?? 0);
    if (stale === undefined) return loading;
    // Who is served the old value must not fail with the new one.
    loading.catch(() => undefined);
    return Promise.resolve(stale);
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
    const started = load()
      .then((value) => {
        this.set(key, value);
        return value;
      })
      .finally(() => this.loads.delete(key));
    this.loads.set(key, started);
    return started;
  }
}
