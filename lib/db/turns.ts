import "server-only";
import { AppError } from "@/lib/errors";

/** Thrown when the caller's turn did not come in time. Nothing was changed. */
export class NoTurn extends AppError {
  constructor(what: string, waitMs: number) {
    const seconds = Math.round(waitMs / 100) / 10;
    super(
      "DATABASE_UNAVAILABLE",
      `This ${what} is busy. The request waited ${seconds} s and changed nothing. Send it again.`,
    );
  }
}

/** Counts down the time that a request may wait, in one queue after the other. */
export class Patience {
  readonly #startedAt = performance.now();

  constructor(readonly waitMs: number) {}

  /** In milliseconds, at least 1. */
  get left(): number {
    return Math.max(1, Math.round(this.waitMs - (performance.now() - this.#startedAt)));
  }
}

/** Admits a number of callers at a time. The others queue in memory, first come first served. */
class Semaphore {
  #free: number;
  readonly #queue = new Set<() => void>();

  constructor(readonly size: number) {
    this.#free = size;
  }

  get isIdle(): boolean {
    return this.#free === this.size && this.#queue.size === 0;
  }

  /** Resolves to true once the caller is admitted, or to false after `waitMs`. */
  async enter(waitMs: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    return new Promise((resolve) => {
      const letIn = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#queue.delete(letIn);
        resolve(false);
      }, waitMs);
      this.#queue.add(letIn);
    });
  }

  leave(): void {
    const [next] = this.#queue;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#queue.delete(next);
    next();
  }
}

/** The turns at things of one kind, by their ids. */
export class Turns {
  readonly #byId = new Map<string, Semaphore>();

  /**
   * @param what names a thing of the kind to a caller who waited in vain.
   * @param size how many callers have their turn at one thing at a time.
   */
  constructor(
    readonly what: string,
    readonly size: number,
  ) {}

  /**
   * Runs `work` at the caller's turn.
   *
   * @throws NoTurn when the wait takes longer.
   */
  async take<T>(id: string, patience: Patience, work: () => Promise<T>): Promise<T> {
    const turn = this.#byId.get(id) ?? new Semaphore(this.size);
    this.#byId.set(id, turn);
    if (!(await turn.enter(patience.left))) throw new NoTurn(this.what, patience.waitMs);
    try {
      return await work();
    } finally {
      turn.leave();
      if (turn.isIdle) this.#byId.delete(id);
    }
  }
}
