import { beforeAll, expect, it } from "vitest";
import {
  type Answer,
  expectCleanBooks,
  newKey,
  readCode,
  readData,
  seedUsers,
  send,
  tradableTokens,
  until,
} from "@/tests/support/product/product";
import { useProcesses } from "@/tests/support/product/processes";
import { Random, readSeed } from "@/tests/support/random";

/** The long run: FREEZE_PROCESSES=4 FREEZE_ROUNDS=50. */
const PROCESSES = Number(process.env["FREEZE_PROCESSES"] ?? 2);
const ROUNDS = Number(process.env["FREEZE_ROUNDS"] ?? 4);
/** How many orders are in flight. */
const TRADERS = 100;
/** The freeze follows one of these responses. */
const LATEST_ANSWER = 100;
/** A trader that is never refused gives up after so many orders. */
const MOST_ORDERS = 20;
const ROUND_MS = 60_000;

const processes = useProcesses(PROCESSES);
const { portOf } = processes;
let tokenIds: string[] = [];

beforeAll(async () => {
  const [seeded] = await seedUsers(processes.env, 1, "1000");
  if (!seeded) throw new Error("no user was seeded");
  tokenIds = (await tradableTokens(portOf(0), seeded.apiKey)).slice(0, 8);
}, ROUND_MS);

/** Sends the order of an index: every third takes from the book, the others rest on it. */
function place(key: string, index: number): Promise<Answer> {
  const tokenId = tokenIds[index % tokenIds.length];
  const size =
    index % 3 === 0
      ? { orderType: "market", amount: 5 }
      : { orderType: "limit", price: 0.05, shares: 20 };
  const body = { tokenId, action: "BUY", ...size, idempotencyKey: newKey("freeze") };
  return send(portOf(index), { method: "POST", path: "/v1/orders", key, body });
}

/**
 * Sends orders of 100 traders with one key, each the next one after its response until one is refused.
 * Freezes the key at one of the processes after `after` responses.
 */
async function freezeInFlight(key: string, after: number, at: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const trading = Array.from({ length: TRADERS }, async (_, trader) => {
    for (let sent = 0; sent < MOST_ORDERS; sent += 1) {
      const answer = await place(key, trader + sent);
      answers.push(answer);
      if (answers.length === after) reach();
      if (answer.status !== 200) return;
    }
  });
  await reached;
  const frozen = await send(portOf(at), { method: "POST", path: "/v1/freeze", key });
  expect(frozen.status).toBe(200);
  await Promise.all(trading);
  return answers;
}

interface Event {
  seq: number;
  type: string;
  data: { order?: { id: string; status: string } };
}

/** Reads the log of the account from its first event. */
async function readEvents(key: string): Promise<Event[]> {
  const all: Event[] = [];
  for (;;) {
    const path = `/v1/events?limit=1000&after=${all.length}`;
    const answer = await send(portOf(0), { method: "GET", path, key });
    const { events } = readData<{ events: Event[] }>(answer);
    if (events.length === 0) break;
    all.push(...events);
  }
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
  return all;
}

const hasNoneOpen = async (key: string) => {
  const answer = await send(portOf(0), { method: "GET", path: "/v1/orders/open", key });
  return readData<{ orders: unknown[] }>(answer).orders.length === 0;
};

it(
  `${ROUNDS} times, a freeze during ${TRADERS} orders in flight at ${PROCESSES} processes lets nothing in after it, and leaves nothing open`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`freeze: PRODUCT_SEED=${random.seed}\n`);
    for (let round = 0; round < ROUNDS; round += 1) {
      const [user] = await seedUsers(processes.env, 1, "100000");
      const key = user?.apiKey ?? "";
      const after = random.integer(1, LATEST_ANSWER);
      const at = random.integer(0, PROCESSES - 1);
      const answers = await freezeInFlight(key, after, at);
      const accepted = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status !== 200);
      process.stdout.write(
        `freeze ${round}: after ${after} answers, ${accepted.length} accepted, ${refused.length} refused\n`,
      );
      expect(accepted.length).toBeGreaterThan(0);
      expect(refused.map(readCode)).toEqual(
        Array.from({ length: TRADERS }, () => "TRADING_FROZEN"),
      );
      await expectEnded(key, accepted, refused.length);
      for (let index = 0; index < PROCESSES; index += 1) {
        expect(readCode(await place(key, index))).toBe("TRADING_FROZEN");
      }
    }
    // With no open order left, the books are clean only if nothing is reserved.
    expect(await processes.stopAll()).toEqual(Array.from({ length: PROCESSES }, () => 0));
    await expectCleanBooks(processes.env);
  },
  ROUND_MS + ROUNDS * ROUND_MS,
);

/** Expects that exactly the accepted orders came before the freeze, and that all of them are over. */
async function expectEnded(
  key: string,
  accepted: readonly Answer[],
  refused: number,
): Promise<void> {
  // What the freeze itself doesn't reach is canceled by the sweep.
  await until("no order is open", () => hasNoneOpen(key));
  const events = await readEvents(key);
  const [frozen, ...others] = events.filter(({ type }) => type === "trading.frozen");
  expect(others).toEqual([]);
  // The numbers are in the order of the commits.
  const frozenSeq = frozen?.seq ?? 0;
  const [before, late] = [new Set<string>(), new Set<string>()];
  const last = new Map<string, string>();
  for (const { seq, type, data } of events) {
    if (!data.order) continue;
    last.set(data.order.id, data.order.status);
    if (type === "order.received") (seq < frozenSeq ? before : late).add(data.order.id);
  }
  const ids = accepted.map((answer) => readData<{ orderId: string }>(answer).orderId);
  expect(before).toEqual(new Set(ids));
  for (const id of before) expect(["filled", "canceled"]).toContain(last.get(id));
  for (const id of late) expect(last.get(id)).toBe("rejected");
  expect(late.size).toBe(refused);
}
