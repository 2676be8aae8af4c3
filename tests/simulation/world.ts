import type { PlaceOrderBody } from "@/lib/schemas/orders";
import type { Answer } from "@/lib/schemas/envelope";
import { Exchange } from "@/tests/simulation/exchange";
import { Network } from "@/tests/simulation/network";
import { Scheduler } from "@/tests/simulation/scheduler";
import { Trace } from "@/tests/simulation/trace";
import { Random } from "@/tests/support/product-random";

/** A key that a client uses, and what it was told. */
export interface Placed {
  key: string;
  userId: string;
  body: PlaceOrderBody;
  /** Whether its client comes back before all is over: an order is given up when nobody does. */
  asksAgain: boolean;
  /** The first 200 or 400; what came before it said to ask again. */
  answer: Answer | null;
  orderId: string | null;
  /** What had filled when a cancel was answered with 200. */
  canceledAt: bigint | null;
}

export interface Violation {
  seed: number;
  text: string;
  trace: string[];
}

/** How often each kind of thing came about: a simulation in which nothing happens proves nothing. */
export type Tally = Record<string, number>;

/** Everything of one run: its time, its venue, its clients, and what went wrong. */
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
  private readonly told = new Set<string>();

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

  /** Notes something that must never be, once per key and kind. */
  violate(key: string, text: string): void {
    const id = `${key} ${text.replaceAll(/\d+/g, "")}`;
    if (this.told.has(id)) return;
    this.told.add(id);
    this.trace.tell(key, `VIOLATION ${text}`);
    this.violations.push({ seed: this.seed, text: `${key}: ${text}`, trace: this.trace.of(key) });
  }
}
