import "server-only";
import { getDb } from "@/lib/db/client";
import { selectHeads } from "@/lib/db/queries/account-events";
import type { AccountRef } from "@/lib/db/queries/mode";
import { errorFields, log } from "@/lib/log";

/** How often the heads of the watched logs are read: the most that an event waits for its readers. */
const POLL_MS = 40;

interface Waiter {
  after: number;
  wake: () => void;
}

interface Watched {
  account: AccountRef;
  waiters: Set<Waiter>;
}

/**
 * Wakes the readers of logs that grew. One query per poll reads the heads of all watched accounts, so
 * it finds what other processes wrote, and it works through a pooler. Nothing runs without readers.
 */
class HeadWatch {
  readonly #watched = new Map<string, Watched>();
  #isPolling = false;

  /**
   * Waits until an account's log has an event after a number, at most `timeoutMs`, or until the signal
   * is aborted.
   */
  wait(
    account: AccountRef,
    after: number,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  ): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const key = `${account.userId}/${account.mode}`;
    const watched = this.#watched.get(key) ?? { account, waiters: new Set<Waiter>() };
    this.#watched.set(key, watched);
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        watched.waiters.delete(waiter);
        if (watched.waiters.size === 0) this.#watched.delete(key);
        resolve();
      };
      const waiter = { after, wake: finish };
      const timer = setTimeout(finish, timeoutMs);
      signal.addEventListener("abort", finish);
      watched.waiters.add(waiter);
      if (!this.#isPolling) void this.#poll();
    });
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    while (this.#watched.size > 0) {
      try {
        await this.#wakeReaders();
      } catch (error) {
        // The database restarts, for example. Readers wait on.
        log.warn("heads of logs not read", errorFields(error));
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    this.#isPolling = false;
  }

  async #wakeReaders(): Promise<void> {
    const watched = [...this.#watched.values()];
    const heads = await selectHeads(
      await getDb(),
      watched.map(({ account }) => account),
    );
    for (const [index, { waiters }] of watched.entries()) {
      const head = heads[index] ?? 0;
      for (const { after, wake } of waiters) if (head > after) wake();
    }
  }
}

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.head-watch");
const holder = globalThis as typeof globalThis & { [HOLDER]?: HeadWatch };

/** The process's watch over the heads of logs. */
export const headWatch = (): Pick<HeadWatch, "wait"> => (holder[HOLDER] ??= new HeadWatch());
