// Load on one or several servers of one database, a journal of all responses, and its comparison with the
// service's later state.
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import {
  allOrders,
  type Answer,
  readCode,
  readData,
  NoAnswer,
  type Order,
  readEnvelope,
  send,
  until,
} from "@/tests/support/product/product";
import type { Random } from "@/tests/support/random";

/** A complete response, or null if the connection broke before. */
type Told = Pick<Answer, "status" | "text"> | null;

interface Placement {
  apiKey: string;
  body: Record<string, unknown> & { idempotencyKey: string };
  told: Told;
}

interface Cancellation {
  apiKey: string;
  orderId: string;
  told: Told;
}

export interface Journal {
  placements: Placement[];
  cancellations: Cancellation[];
}

export interface LoadOptions {
  /** The servers' ports. A client without a response tries the next one. */
  ports: readonly number[];
  apiKeys: readonly string[];
  tokenIds: readonly string[];
  random: Random;
  /** A prefix that makes this load's keys unique. */
  name: string;
}

const CLIENTS = 8;
const AFTER_502_MS = 50;
/** Concurrent checks. */
const CHECKERS = 8;

export interface Load {
  journal: Journal;
  /** Waits until so many orders have responses, because a new server is slow at first. */
  untilAnswered: (count: number) => Promise<unknown>;
  stop: () => Promise<void>;
}

/** Starts eight clients. Each ends when no server responds or when the load is stopped. */
export function startLoad(options: LoadOptions): Load {
  const journal: Journal = { placements: [], cancellations: [] };
  const state = { isStopped: false };
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    new Client(options, index, journal, state).run(),
  );
  return {
    journal,
    untilAnswered: (count) =>
      until(
        "the load is answered",
        async () => journal.placements.filter(({ told }) => told !== null).length >= count,
      ),
    stop: async () => {
      state.isStopped = true;
      await Promise.all(clients);
    },
  };
}

class Client {
  readonly #random: Random;
  readonly #apiKey: string;
  readonly #restingIds: string[] = [];
  #count = 0;

  constructor(
    readonly options: LoadOptions,
    readonly index: number,
    readonly journal: Journal,
    readonly state: { isStopped: boolean },
  ) {
    this.#random = options.random.fork(index);
    this.#apiKey = options.apiKeys[index % options.apiKeys.length] ?? "";
  }

  async run(): Promise<void> {
    while (!this.state.isStopped) {
      const restingId = this.#random.chance(0.25) ? this.#restingIds.pop() : undefined;
      const told = restingId === undefined ? await this.#place() : await this.#cancel(restingId);
      if (told === null) return;
      // A request with an unknown outcome is repeated later.
      if (told.status === 502) await wait(AFTER_502_MS);
    }
  }

  async #place(): Promise<Told> {
    const idempotencyKey = `${this.options.name}-${this.index}-${(this.#count += 1)}`;
    const placement: Placement = {
      apiKey: this.#apiKey,
      body: { ...anyOrder(this.#random, this.options.tokenIds), idempotencyKey },
      told: null,
    };
    this.journal.placements.push(placement);
    placement.told = await this.#ask((port) => place(port, placement));
    if (placement.told?.status === 200) {
      const { orderId, status } = readData<{ orderId: string; status: string }>(
        asAnswer(placement.told),
      );
      if (status === "open") this.#restingIds.push(orderId);
    }
    return placement.told;
  }

  async #cancel(orderId: string): Promise<Told> {
    const cancellation: Cancellation = { apiKey: this.#apiKey, orderId, told: null };
    this.journal.cancellations.push(cancellation);
    cancellation.told = await this.#ask((port) => cancel(port, cancellation));
    return cancellation.told;
  }

  /** Tries the servers in turn, starting with a random one. */
  async #ask(request: (port: number) => Promise<Answer>): Promise<Told> {
    for (const port of this.#random.shuffle(this.options.ports)) {
      try {
        const { status, text } = await request(port);
        return { status, text };
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
      }
    }
    return null;
  }
}

const asAnswer = (told: NonNullable<Told>): Answer => ({ ...told, headers: {} });

function place(port: number, { apiKey, body }: Placement): Promise<Answer> {
  return send(port, { method: "POST", path: "/v1/orders", key: apiKey, body });
}

function cancel(port: number, { apiKey, orderId }: Cancellation): Promise<Answer> {
  return send(port, { method: "DELETE", path: `/v1/orders/${orderId}`, key: apiKey });
}

/** Picks an order that fills, rests, matches other users or is rejected. */
function anyOrder(random: Random, tokenIds: readonly string[]): Record<string, unknown> {
  const tokenId = random.pick(tokenIds);
  const limit = { tokenId, orderType: "limit", shares: random.integer(5, 20) };
  return random.pick([
    { tokenId, action: "BUY", orderType: "market", amount: random.integer(1, 5) },
    { tokenId, action: "BUY", orderType: "market", shares: random.integer(5, 10) },
    { tokenId, action: "SELL", orderType: "market", shares: random.integer(5, 10) },
    { ...limit, action: "BUY", price: random.integer(5, 20) / 100 },
    { ...limit, action: "BUY", price: random.integer(35, 65) / 100 },
    { ...limit, action: "SELL", price: random.integer(40, 90) / 100 },
  ]);
}

/**
 * Checks that each response is repeated byte for byte, that each acknowledged order exists, and that
 * each request without a response takes effect exactly once when it is repeated. Adds the missing
 * responses to the journal.
 */
export async function expectKept(journal: Journal, ports: readonly number[]): Promise<void> {
  const getPort = (index: number) => ports[index % ports.length] ?? 0;
  await inParallel(journal.placements, async (placement, index) => {
    await expectPlacementKept(placement, getPort(index), journal);
  });
  await inParallel(journal.cancellations, async (cancellation, index) => {
    await expectCancellationKept(cancellation, getPort(index));
  });
}

/**
 * Checks that every status is 200, 400 or 502. Removes the 502 from the journal, so that their
 * requests are repeated like those without a response.
 *
 * @returns the codes of the 502.
 */
export function forgetUnknown({ placements, cancellations }: Journal): Set<string> {
  const codes = new Set<string>();
  for (const entry of [...placements, ...cancellations]) {
    expect([200, 400, 502, undefined], entry.told?.text).toContain(entry.told?.status);
    if (entry.told?.status !== 502) continue;
    codes.add(readCode(asAnswer(entry.told)));
    entry.told = null;
  }
  return codes;
}

/** Checks that every response of a journal is repeated byte for byte. */
export async function expectRepeated(journal: Journal, ports: readonly number[]): Promise<void> {
  await inParallel(journal.placements, async (placement, index) => {
    expectSame(await place(ports[index % ports.length] ?? 0, placement), placement);
  });
}

/** Checks that each key has at most one order and each order a sent key. */
export async function expectOneOrderPerKey(journal: Journal, port: number): Promise<number> {
  let count = 0;
  for (const apiKey of new Set(journal.placements.map((placement) => placement.apiKey))) {
    const sent = journal.placements.filter((placement) => placement.apiKey === apiKey);
    const keys = (await allOrders(port, apiKey)).map((order) => order.idempotencyKey);
    expect(keys.toSorted()).toEqual(sent.map(({ body }) => body.idempotencyKey).toSorted());
    count += keys.length;
  }
  return count;
}

async function expectPlacementKept(
  placement: Placement,
  port: number,
  journal: Journal,
): Promise<void> {
  const { body } = placement;
  const repeated = await place(port, placement);
  if (placement.told) {
    expectSame(repeated, placement);
    expect(repeated.headers["idempotent-replayed"]).toBe("true");
  } else {
    placement.told = { status: repeated.status, text: repeated.text };
    expectSame(await place(port, placement), placement);
  }
  expect([200, 400], repeated.text).toContain(repeated.status);
  const envelope = readEnvelope(repeated);
  if (!envelope.ok) return;
  const told = envelope.data as { orderId: string; status: string; message: string };
  const order = await readOrder(port, placement.apiKey, told.orderId);
  expect(order).toMatchObject({
    tokenId: body["tokenId"],
    action: body["action"],
    type: body["orderType"],
    idempotencyKey: body.idempotencyKey,
  });
  const filled = Number(/(?:bought|sold) ([\d.]+) shares/.exec(told.message)?.[1] ?? 0);
  expect(order.filledShares).toBeGreaterThanOrEqual(filled);
  if (told.status !== "open") expect(order.status).toBe(told.status);
  else
    expect(["open", "filled", ...(mayBeCanceled(order, journal) ? ["canceled"] : [])]).toContain(
      order.status,
    );
}

function mayBeCanceled({ id, events }: RecordedOrder, { cancellations }: Journal): boolean {
  return (
    cancellations.some(({ orderId }) => orderId === id) ||
    events.some(({ detail }) => detail["reason"] === "self_trade_prevention")
  );
}

async function expectCancellationKept(cancellation: Cancellation, port: number): Promise<void> {
  const { apiKey, orderId, told } = cancellation;
  const repeated = await cancel(port, cancellation);
  const { status } = await readOrder(port, apiKey, orderId);
  if (told) expectSame(repeated, cancellation, orderId);
  cancellation.told = { status: repeated.status, text: repeated.text };
  if (repeated.status === 200) expect(status).toBe("canceled");
  else {
    expect(readCode(repeated)).toBe("ORDER_NOT_CANCELABLE");
    expect(status).toBe("filled");
  }
}

function expectSame(answer: Answer, { told }: { told: Told }, about = ""): void {
  expect(`${answer.status} ${answer.text}`, about).toBe(`${told?.status} ${told?.text}`);
}

type RecordedOrder = Order & { events: { detail: Record<string, string> }[] };

async function readOrder(port: number, key: string, orderId: string): Promise<RecordedOrder> {
  return readData(await send(port, { method: "GET", path: `/v1/orders/${orderId}`, key }));
}

async function inParallel<T>(
  list: readonly T[],
  check: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = list.entries();
  const work = async () => {
    for (const [index, item] of queue) await check(item, index);
  };
  await Promise.all(Array.from({ length: CHECKERS }, work));
}

/** Summarizes a journal. */
export function summarize({ placements, cancellations }: Journal): string {
  const count = (told: number | undefined) =>
    [...placements, ...cancellations].filter((entry) => entry.told?.status === told).length;
  return `${placements.length} orders and ${cancellations.length} cancels: ${count(200)} × 200, ${count(400)} × 400, ${count(undefined)} without an answer`;
}

/** Appends one load's journal to another. */
export function append(all: Journal, { placements, cancellations }: Journal): void {
  all.placements.push(...placements);
  all.cancellations.push(...cancellations);
}
