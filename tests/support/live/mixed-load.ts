// Mixed load at a bounded rate on one or several processes of a service. Checks every response against
// the contract. Independent of the test runner.
import { setTimeout as wait } from "node:timers/promises";
import type { LiveTrader } from "@/tests/support/live/product-stack";
import {
  type Answer,
  readData,
  NoAnswer,
  readEnvelope,
  send,
  type Sent,
} from "@/tests/support/product/client";
import type { Random } from "@/tests/support/random";

type Mode = "paper" | "live";

/** An order with its idempotency key and response. */
interface Placement {
  apiKey: string;
  mode: Mode;
  body: Record<string, unknown> & { idempotencyKey: string };
  /** The first 200 or 400, which every repetition must return. */
  answer: Pick<Answer, "status" | "text"> | null;
  isAsking: boolean;
}

interface Options {
  /** The current ports of the service. Processes may stop and start. */
  ports: () => readonly number[];
  traders: readonly LiveTrader[];
  tokens: Readonly<Record<Mode, readonly string[]>>;
  random: Random;
  perSecond: number;
}

const AT_ONCE = 32;
const STATUSES = [200, 400, 404, 429, 502];
const MAX_PROBLEMS = 50;
const READS = [
  "/v1/account/balance",
  "/v1/positions",
  "/v1/orders?limit=20",
  "/v1/orders/open",
  "/v1/markets?limit=20",
  "/v1/fills",
  "/v1/activity",
  "/v1/key",
  "/health",
] as const;
const REPEAT_PAUSE_MS = 300;
const REPEAT_STATUS = 502;

/** Sends requests until it is stopped. A process that dies fails only its own requests. */
export class MixedLoad {
  readonly problems: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly placements: Placement[] = [];
  readonly #resting: { apiKey: string; orderId: string }[] = [];
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: Options) {}

  get answered(): number {
    return this.placements.filter(({ answer }) => answer !== null).length;
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (this.#running.size >= AT_ONCE) return this.#count("held back");
      const work = this.#act().finally(() => this.#running.delete(work));
      this.#running.add(work);
    }, 1_000 / this.options.perSecond);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  /** Repeats unanswered requests until all have a response, or none arrives for `withinMs`. */
  async askForAll(withinMs: number): Promise<number> {
    let deadline = Date.now() + withinMs;
    const waiting = this.placements.filter(({ answer }) => answer === null);
    await inParallel(waiting, async (placement) => {
      while (placement.answer === null && Date.now() < deadline) {
        await this.#send(placement);
        if (placement.answer === null) await wait(REPEAT_PAUSE_MS);
        else deadline = Date.now() + withinMs;
      }
    });
    return waiting.filter(({ answer }) => answer === null).length;
  }

  /** Checks that repeated requests get the same bytes from any process. */
  async repeatAll(most: number): Promise<void> {
    const chosen = this.options.random.shuffle(this.placements).slice(0, most);
    await inParallel(chosen, (placement) => this.#send(placement));
  }

  /** Checks that each key has at most one order, each order a sent key, and each 200 its order. */
  async checkLists(): Promise<number> {
    let count = 0;
    for (const { paperKey, liveKey } of this.options.traders) {
      for (const apiKey of [paperKey, liveKey]) count += await this.#checkList(apiKey);
    }
    return count;
  }

  async #checkList(apiKey: string): Promise<number> {
    const sent = new Map(
      this.placements
        .filter((placement) => placement.apiKey === apiKey)
        .map(({ body, answer }) => [body.idempotencyKey, answer]),
    );
    const listed = await this.#listOrders(apiKey);
    const ids = new Map(listed.map(({ idempotencyKey, id }) => [idempotencyKey, id]));
    if (ids.size !== listed.length)
      this.#report(`${listed.length - ids.size} keys have two orders`);
    for (const key of ids.keys()) if (!sent.has(key)) this.#report(`the key ${key} was never sent`);
    for (const [key, answer] of sent) {
      if (answer?.status !== 200) continue;
      const { orderId } = readData<{ orderId: string }>({ ...answer, headers: {} });
      if (ids.get(key) !== orderId) this.#report(`${key} was acknowledged and is missing`);
    }
    return listed.length;
  }

  async #listOrders(key: string): Promise<{ id: string; idempotencyKey: string }[]> {
    const orders: { id: string; idempotencyKey: string }[] = [];
    let from = "";
    do {
      const path = `/v1/orders?limit=1000${from}`;
      const answer = await send(this.#port(), { method: "GET", path, key });
      const page = readData<{ orders: typeof orders; nextCursor: string | null }>(answer);
      orders.push(...page.orders);
      from = page.nextCursor === null ? "" : `&nextCursor=${encodeURIComponent(page.nextCursor)}`;
    } while (from !== "");
    return orders;
  }

  async #act(): Promise<void> {
    const { random } = this.options;
    const roll = random.next();
    if (roll < 0.3) return this.#send(this.#newPlacement());
    if (roll < 0.42) return this.#repeatOne();
    if (roll < 0.55 && this.#resting.length > 0) return this.#cancelOne();
    const key = this.#getKey(random.pick(this.options.traders), this.#anyMode());
    await this.#ask({ method: "GET", path: random.pick(READS), key });
  }

  #newPlacement(): Placement {
    const { random, traders } = this.options;
    const mode = this.#anyMode();
    const idempotencyKey = `mixed-${this.placements.length}`;
    const placement: Placement = {
      apiKey: this.#getKey(random.pick(traders), mode),
      mode,
      body: { ...anyOrder(random, this.options.tokens[mode]), idempotencyKey },
      answer: null,
      isAsking: false,
    };
    this.placements.push(placement);
    return placement;
  }

  /** Repeats a request, preferably one without a response. */
  async #repeatOne(): Promise<void> {
    const { random } = this.options;
    const waiting = this.placements.filter(({ answer, isAsking }) => answer === null && !isAsking);
    const pool = waiting.length > 0 && random.chance(0.7) ? waiting : this.placements;
    if (pool.length > 0) await this.#send(random.pick(pool));
  }

  async #cancelOne(): Promise<void> {
    const { random } = this.options;
    const [chosen] = this.#resting.splice(random.integer(0, this.#resting.length - 1), 1);
    if (!chosen) return;
    const { apiKey: key, orderId } = chosen;
    const asked = { method: "DELETE", path: `/v1/orders/${orderId}`, key };
    const answers = await Promise.all([
      this.#ask(asked),
      ...(random.chance(0.3) ? [this.#ask(asked)] : []),
    ]);
    // A cancel with an unknown outcome is repeated later.
    if (answers.some((answer) => answer === null || answer.status === REPEAT_STATUS)) {
      this.#resting.push(chosen);
    }
  }

  async #send(placement: Placement): Promise<void> {
    placement.isAsking = true;
    const { apiKey: key, body } = placement;
    const told = await this.#ask({ method: "POST", path: "/v1/orders", key, body });
    placement.isAsking = false;
    if (told === null || told.status === REPEAT_STATUS) return;
    const { status, text } = told;
    if (status !== 200 && status !== 400) {
      return this.#report(`${body.idempotencyKey} is answered ${status} ${text}`);
    }
    const first = placement.answer;
    if (first === null) this.#keep(placement, told);
    else if (first.status !== status || first.text !== text) {
      this.#report(`${body.idempotencyKey}: first ${first.text}, then ${text}`);
    }
  }

  #keep(placement: Placement, told: Answer): void {
    placement.answer = { status: told.status, text: told.text };
    if (told.status !== 200) return;
    const { orderId, status } = readData<{ orderId: string; status: string }>(told);
    if (status === "open") this.#resting.push({ apiKey: placement.apiKey, orderId });
  }

  /** Returns null if the connection broke before the response. */
  async #ask(sent: Sent): Promise<Answer | null> {
    const what = `${sent.method} ${sent.path.replace(/ord_\w+/, "{id}").replace(/\?.*/, "")}`;
    try {
      const answer = await send(this.#port(), sent);
      this.#count(`${what} ${answer.status}`);
      if (!STATUSES.includes(answer.status)) {
        this.#report(`${what} is answered ${answer.status} ${answer.text.slice(0, 200)}`);
      }
      readEnvelope(answer);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) this.#count("without an answer");
      else this.#report(`${what}: ${String(error)}`);
      return null;
    }
  }

  #port(): number {
    return this.options.random.pick(this.options.ports());
  }

  #anyMode(): Mode {
    return this.options.random.chance(0.5) ? "paper" : "live";
  }

  #getKey({ paperKey, liveKey }: LiveTrader, mode: Mode): string {
    return mode === "paper" ? paperKey : liveKey;
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  #report(problem: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }
}

/** Picks an order that fills, rests, matches other users or is rejected. */
function anyOrder(random: Random, tokenIds: readonly string[]): Record<string, unknown> {
  const tokenId = random.pick(tokenIds);
  const limit = { tokenId, orderType: "limit", shares: random.integer(5, 12) };
  return random.pick([
    { tokenId, action: "BUY", orderType: "market", amount: random.integer(1, 4) },
    { tokenId, action: "BUY", orderType: "market", shares: random.integer(5, 8) },
    { tokenId, action: "SELL", orderType: "market", shares: random.integer(5, 8) },
    { ...limit, action: "BUY", price: random.integer(5, 20) / 100 },
    { ...limit, action: "BUY", price: random.integer(35, 65) / 100 },
    { ...limit, action: "SELL", price: random.integer(40, 90) / 100 },
  ]);
}

async function inParallel<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = list.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
