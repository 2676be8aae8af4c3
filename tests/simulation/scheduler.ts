import { AsyncLocalStorage } from "node:async_hooks";
import type { Random } from "@/tests/support/random";

/** One request, or one tick of the reconciler, in one process. */
export interface Task {
  name: string;
  process: string;
  isDone: boolean;
}

/** A task that waits at a gate. */
interface Parked {
  task: Task;
  readyAt: number;
  resume: () => void;
  /** Runs if the process crashes here, for messages that were already sent. */
  onCrash: () => void;
}

interface GateOptions {
  delayMs?: number;
  onCrash?: () => void;
}

const immediate = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
/** Real time that one step may take before the simulation counts as stuck. */
const STUCK_AFTER_MS = 20_000;
/**
 * A shared read starts one turn after it was called (`lib/db/share-statement.ts`). In the turn between,
 * another task could join it, and would then wait for the first task's gate.
 */
const QUIET_TURNS = 2;

/**
 * Runs one task at a time, so that a seed always gives the same history. Tasks stop at gates: before
 * every call of the database or the venue, and while they wait. The tasks of a crashed process stay
 * at their gates forever.
 */
export class Scheduler {
  now: number;
  private readonly context = new AsyncLocalStorage<Task>();
  private parked: Parked[] = [];
  private tasks: Task[] = [];
  private databaseCalls = 0;

  constructor(startAt: number) {
    this.now = startAt;
  }

  get running(): readonly Task[] {
    return this.tasks;
  }

  /** Starts a task and returns when it stops at its first gate. */
  async start(task: Omit<Task, "isDone">, work: () => Promise<void>): Promise<void> {
    const started: Task = { ...task, isDone: false };
    this.tasks.push(started);
    void this.context.run(started, work).finally(() => {
      started.isDone = true;
    });
    await this.settle();
  }

  /** Stops the calling task until the scheduler resumes it. Does nothing outside of a task. */
  async gate({ delayMs = 0, onCrash = () => {} }: GateOptions = {}): Promise<void> {
    const task = this.context.getStore();
    if (!task) return;
    await new Promise<void>((resume) => {
      this.parked.push({ task, readyAt: this.now + delayMs, resume, onCrash });
    });
  }

  /** Runs one statement or transaction of the database without interruption. */
  async database<T>(work: () => Promise<T>): Promise<T> {
    await this.gate();
    this.databaseCalls += 1;
    try {
      return await work();
    } finally {
      this.databaseCalls -= 1;
    }
  }

  /** Resumes one waiting task. Advances the time if all of them wait for it. False if there is none. */
  async step(random: Random): Promise<boolean> {
    if (this.parked.length === 0) return false;
    const soonest = Math.min(...this.parked.map(({ readyAt }) => readyAt));
    this.now = Math.max(this.now + 1, soonest);
    const chosen = random.pick(this.parked.filter(({ readyAt }) => readyAt <= this.now));
    this.parked = this.parked.filter((entry) => entry !== chosen);
    chosen.resume();
    await this.settle();
    return true;
  }

  /** Crashes a process. Messages that it had sent may still arrive. Returns how many tasks were lost. */
  crash(process: string): number {
    const lost = this.parked.filter(({ task }) => task.process === process);
    this.parked = this.parked.filter(({ task }) => task.process !== process);
    this.tasks = this.tasks.filter((task) => task.process !== process);
    for (const { onCrash } of lost) onCrash();
    return lost.length;
  }

  /** Waits until every task is at a gate. Only database calls take more than a turn of the event loop. */
  private async settle(): Promise<void> {
    const startedAt = performance.now();
    for (let quiet = 0; quiet < QUIET_TURNS;) {
      await immediate();
      if (performance.now() - startedAt > STUCK_AFTER_MS) {
        const stuck = this.tasks.filter((task) => this.isBusy(task));
        throw new Error(`stuck: ${stuck.map(({ name }) => name).join(", ")}`);
      }
      const isQuiet = this.databaseCalls === 0 && !this.tasks.some((task) => this.isBusy(task));
      quiet = isQuiet ? quiet + 1 : 0;
    }
    this.tasks = this.tasks.filter(({ isDone }) => !isDone);
  }

  /** Whether no part of a task is at a gate. Another part of a task at a gate may still run. */
  private isBusy(task: Task): boolean {
    return !task.isDone && !this.parked.some((entry) => entry.task === task);
  }
}
