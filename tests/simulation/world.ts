import type { PlaceOrderBody } from "@/lib/schemas/orders";
import type { Answer } from "@/lib/schemas/envelope";
import { Exchange } from "@/tests/simulation/exchange";
import { Network } from "@/tests/simulation/network";
import { Scheduler } from "@/tests/simulation/scheduler";
import { Trace } from "@/tests/simulation/trace";
import { Random } from "@/tests/support/random";

/** A client's order with its key and responses. */
export interface Placed {
  key: string;
  userId: string;
  body: PlaceOrderBody;
  /** Whether the client repeats the request until it has a response. */
  asksAgain: boolean;
  /** The first final response (200 or 400). Earlier ones asked for a repetition. */
  answer: Answer | null;
  orderId: string | null;
  /** The shares that had filled when a cancel returned 200. */
  canceledAt: bigint | null;
}

export interface Violation {
  seed: number;
  text: string;
  trace: string[];
}

/** How often each kind of event occurred, to check that the simulation exercises all of them. */
export type Tally = Record<string, number>;

/** The state of one run: its time, venue, clients and violations. */
export class World {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly exchange: Exchange;
  readonly network: Network;
  readonly random: Random;
  readonly salts: Random;
  readonly placed: Placed[] = [];
  readonly violations: Violation[] = [];
  readonly tally: Tally = {};
  private readonly reported = new Set<string>();

  constructor(
    readonly seed: number,
    startAt: number,
    readonly userIds: readonly string[],
  ) {
    const root = new Random(seed);
    this.scheduler = new Scheduler(startAt);
    const { scheduler } = this;
    this.trace = new Trace(() => scheduler.now);
    const { trace } = this;
    this.random = root.fork(1);
    this.salts = root.fork(2);
    this.exchange = new Exchange(root.fork(3), () => scheduler.now, String(userIds[0]));
    const { exchange } = this;
    this.network = new Network({ scheduler, exchange, random: root.fork(4), trace });
  }

  count(name: string, times = 1): void {
    this.tally[name] = (this.tally[name] ?? 0) + times;
  }

  /** Records a violation, once per key and kind. */
  violate(key: string, text: string): void {
    const id = `${key} ${text.replaceAll(/\d+/g, "")}`;
    if (this.reported.has(id)) return;
    this.reported.add(id);
    this.trace.record(key, `VIOLATION ${text}`);
    this.violations.push({
      seed: this.seed,
      text: `${key}: ${text}`,
      trace: this.trace.readLines(key),
    });
  }
}
