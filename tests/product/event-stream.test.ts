import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  anyToken,
  cleanUpAfterwards,
  type Environment,
  expectCleanBooks,
  freshDataDir,
  newKey,
  NO_LIMITS,
  type Product,
  readData,
  seedUsers,
  send,
  startProduct,
} from "@/tests/support/product/product";
import { EventStreamReader } from "@/tests/support/events/event-stream-reader";
import { Random, readSeed } from "@/tests/support/random";
import { startPostgres } from "@/tests/support/database/postgres.mjs";

const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 4);
/** Times of a kill, from a stream that is just opened to one that waits. */
const EARLIEST_MS = 20;
const LATEST_MS = 900;
const ROUND_MS = 30_000;
/** The long run: STREAM_RECONNECTS=500. */
const RECONNECTS = Number(process.env["STREAM_RECONNECTS"] ?? 40);
const MAX_READ = 50;
const RECONNECT_MS = 2_000;

const SECRETS = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  API_KEY_PEPPER: "pepper-of-event-streams-with-32-characters",
  NEXTAUTH_SECRET: "session-of-event-streams-with-32-characters",
  CRON_SECRET: "cron-of-event-streams-with-32-characters",
};

let stopPostgres = async () => {};
let env: Environment;
let writer: Product;
let streamer: Product;
let apiKey = "";
let tokenId = "";

// Registered first, so that it runs last: the servers must stop before their database.
afterAll(() => stopPostgres());
cleanUpAfterwards();

beforeAll(async () => {
  const postgres = await startPostgres();
  stopPostgres = postgres.stop;
  env = { ...SECRETS, ...NO_LIMITS, DATABASE_URL: postgres.url };
  writer = await startProduct({ dataDir: freshDataDir(), env });
  streamer = await startProduct({ dataDir: freshDataDir(), env });
  const [user] = await seedUsers(env, 1, "100000");
  apiKey = user?.apiKey ?? "";
  tokenId = await anyToken(writer.port, apiKey);
});

const open = async (product: Product, after: number) =>
  new EventStreamReader(
    await fetch(`http://127.0.0.1:${product.port}/v1/events/stream`, {
      headers: { authorization: `Bearer ${apiKey}`, "last-event-id": String(after) },
    }),
  );

const readHead = async () => {
  const answer = await send(writer.port, {
    method: "GET",
    path: "/v1/events?limit=1",
    key: apiKey,
  });
  return readData<{ lastSeq: number }>(answer).lastSeq;
};

const buy = async () => {
  const body = {
    tokenId,
    action: "BUY",
    orderType: "market",
    amount: 1,
    idempotencyKey: newKey("stream"),
  };
  expect(
    (await send(writer.port, { method: "POST", path: "/v1/orders", key: apiKey, body })).status,
  ).toBe(200);
};

it("a stream of one process sends what another writes, in order and at once", async () => {
  const from = await readHead();
  const stream = await open(streamer, from);
  for (let count = 0; count < 20; count += 1) await buy();
  const to = await readHead();
  const sent = await stream.take(to - from);
  expect(sent.map(({ id }) => id)).toEqual(
    Array.from({ length: to - from }, (_, index) => from + index + 1),
  );
  await stream.close();
});

it(
  `${RECONNECTS} reconnects at random cursors, at either process, go on with the next event`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`event stream: PRODUCT_SEED=${random.seed}\n`);
    const load = { isOver: false };
    const buying = (async () => {
      while (!load.isOver) await buy();
    })();
    for (let count = 0; count < RECONNECTS; count += 1) {
      const cursor = random.integer(0, await readHead());
      const stream = await open(random.pick([writer, streamer]), cursor);
      const length = random.integer(1, MAX_READ);
      const sent = await stream.take(length);
      expect(sent.map(({ id }) => id)).toEqual(
        Array.from({ length }, (_, index) => cursor + index + 1),
      );
      await stream.close();
    }
    load.isOver = true;
    await buying;
  },
  60_000 + RECONNECTS * RECONNECT_MS,
);

it(
  `${ROUNDS} times kill -9 of the streaming process loses and repeats no event`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`event stream: PRODUCT_SEED=${random.seed}\n`);
    const load = { isOver: false };
    const buying = (async () => {
      while (!load.isOver) await buy();
    })();
    const from = await readHead();
    const received: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const stream = await open(streamer, received.at(-1) ?? from);
      const reading = readAll(stream, received);
      await wait(random.integer(EARLIEST_MS, LATEST_MS));
      await streamer.crash();
      await reading;
      const { port, dataDir } = streamer;
      streamer = await startProduct({ dataDir, env, port });
    }
    load.isOver = true;
    await buying;
    const to = await readHead();
    const stream = await open(streamer, received.at(-1) ?? from);
    const rest = await stream.take(to - (received.at(-1) ?? from));
    await stream.close();
    received.push(...rest.map(({ id }) => id ?? 0));
    expect(received).toEqual(Array.from({ length: to - from }, (_, index) => from + index + 1));
    await expectCleanBooks(env);
  },
  60_000 + ROUNDS * ROUND_MS,
);

/** Reads until the connection breaks. */
async function readAll(stream: EventStreamReader, received: number[]): Promise<void> {
  try {
    for (;;) {
      const event = await stream.nextEvent();
      if (event === null) return;
      if (event.id !== null) received.push(event.id);
    }
  } catch {
    // The process was killed.
  }
}

it("a stream ends with the reason when its server stops, which does not wait for it", async () => {
  const stream = await open(streamer, await readHead());
  expect((await stream.next())?.comment).toMatch(/^head \d+$/);
  const stopped = streamer.stop();
  expect(await stream.nextEvent()).toMatchObject({ event: "end", data: { reason: "shutdown" } });
  expect((await stopped).code).toBe(0);
});
