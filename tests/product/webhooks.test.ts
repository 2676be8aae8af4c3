import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Answer,
  anyToken,
  cleanUpAfterwards,
  type Environment,
  expectCleanBooks,
  freshDataDir,
  newKey,
  NO_LIMITS,
  type Product,
  readData,
  ROOT,
  seedUsers,
  send,
  startProduct,
} from "@/tests/support/product/product";
import { Random, readSeed } from "@/tests/support/random";
import { startPostgres } from "@/tests/support/database/postgres.mjs";
import { type Received, useReceiver, verify } from "@/tests/support/webhooks/receiver";

/** The long run: WEBHOOK_USERS=20 WEBHOOK_ORDERS=100 CRASH_ROUNDS=100 WEBHOOK_FAILURES=3. */
const USERS = Number(process.env["WEBHOOK_USERS"] ?? 2);
const ORDERS_PER_USER = Number(process.env["WEBHOOK_ORDERS"] ?? 8);
const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 4);
/** How often in a row the receiver fails for a message at most. Each failure waits longer than the last. */
const FAILURES_IN_A_ROW = Number(process.env["WEBHOOK_FAILURES"] ?? 2);
const FAILING_PART = 30;
const EARLIEST_MS = 50;
const LATEST_MS = 1_500;
const ROUND_MS = 30_000;
/** More than an event waits on average. */
const EVENT_MS = 10_000;

const SECRETS = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  API_KEY_PEPPER: "pepper-of-webhook-tests-with-32-characters",
  NEXTAUTH_SECRET: "session-of-webhook-tests-with-32-characters",
  CRON_SECRET: "cron-of-webhook-tests-with-32-characters",
};

const receiver = useReceiver();
let stopPostgres = async () => {};
let env: Environment;
const products: Product[] = [];
const children: ChildProcess[] = [];
const folders: string[] = [];

// Registered first, so that it runs last: the servers must stop before their database.
afterAll(() => stopPostgres());
cleanUpAfterwards();
afterAll(() => {
  for (const child of children) child.kill();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

beforeAll(async () => {
  const postgres = await startPostgres();
  stopPostgres = postgres.stop;
  env = { ...SECRETS, ...NO_LIMITS, DATABASE_URL: postgres.url, WEBHOOK_ALLOW_PRIVATE: "1" };
  for (let index = 0; index < 2; index += 1) {
    products.push(await startProduct({ dataDir: freshDataDir(), env }));
  }
});

interface Subscriber {
  apiKey: string;
  path: string;
  secret: string;
  /** The number of the last event before the endpoint. */
  from: number;
}

/** Sends a request to either process until one answers it. */
async function sendToAny(sent: Parameters<typeof send>[1]): Promise<Answer> {
  for (let count = 0; ; count += 1) {
    const port = products[count % products.length]?.port ?? 0;
    const answer = await send(port, sent).catch(() => null);
    if (answer?.status === 200) return answer;
    await wait(100);
  }
}

async function subscribe(apiKey: string, path: string): Promise<Subscriber> {
  const url = new URL(path, receiver.url).href;
  const body = { url };
  const made = await sendToAny({ method: "POST", path: "/v1/webhooks", key: apiKey, body });
  const { secret, lastSeq, status } = readData<{
    secret: string;
    lastSeq: number;
    status: string;
  }>(made);
  expect(status).toBe("active");
  return { apiKey, path, secret, from: lastSeq };
}

async function buy({ apiKey }: Subscriber, tokenId: string): Promise<void> {
  const order = { tokenId, action: "BUY", orderType: "market", amount: 1 };
  const body = { ...order, idempotencyKey: newKey("hook") };
  await sendToAny({ method: "POST", path: "/v1/orders", key: apiKey, body });
}

async function readHead({ apiKey }: Subscriber): Promise<number> {
  const answer = await sendToAny({ method: "GET", path: "/v1/events?limit=1", key: apiKey });
  return readData<{ lastSeq: number }>(answer).lastSeq;
}

const eventsAt = ({ path }: Subscriber) =>
  receiver.received.filter((message) => message.path === path && readType(message) !== TEST);
const TEST = "endpoint.test";
const readType = ({ body }: Pick<Received, "body">) => (JSON.parse(body) as { type: string }).type;
const readSeq = ({ body }: Pick<Received, "body">) => (JSON.parse(body) as { seq: number }).seq;
const readAcknowledged = (subscriber: Subscriber) => [
  ...new Set(
    eventsAt(subscriber)
      .filter(({ isAcknowledged }) => isAcknowledged)
      .map(readSeq),
  ),
];

/**
 * Fails a part of the messages, and none more often in a row than it may. Verifies each when it arrives,
 * because receivers refuse signatures that are five minutes old.
 */
function failSometimes(random: Random, secrets: ReadonlyMap<string, string>): void {
  const failed = new Map<string, number>();
  receiver.respond = (message) => {
    if (readType(message) === TEST) return { status: 204 };
    if (!isSigned(message, secrets.get(message.path) ?? "")) unsigned.push(message.body);
    const id = message.headers["webhook-id"] ?? "";
    const count = failed.get(id) ?? 0;
    const fails = random.integer(1, 100) <= FAILING_PART && count < FAILURES_IN_A_ROW;
    failed.set(id, fails ? count + 1 : 0);
    return { status: fails ? 503 : 204 };
  };
}

const unsigned: string[] = [];

function isSigned(message: Omit<Received, "isAcknowledged">, secret: string): boolean {
  try {
    verify(message, secret);
    return true;
  } catch {
    return false;
  }
}

it(
  `${ROUNDS} times kill -9 and a receiver that fails ${FAILING_PART} % lose no event, and none comes before its turn`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`webhooks: PRODUCT_SEED=${random.seed}\n`);
    const secrets = new Map<string, string>();
    failSometimes(random, secrets);
    const users = await seedUsers(env, USERS, "100000");
    const tokenId = await anyToken(products[0]?.port ?? 0, users[0]?.apiKey ?? "");
    const subscribers: Subscriber[] = [];
    for (const [index, { apiKey }] of users.entries()) {
      const subscriber = await subscribe(apiKey, `/user/${index}`);
      secrets.set(subscriber.path, subscriber.secret);
      subscribers.push(subscriber);
    }
    const buying = Promise.all(
      subscribers.map(async (subscriber) => {
        for (let count = 0; count < ORDERS_PER_USER; count += 1) await buy(subscriber, tokenId);
      }),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      await wait(random.integer(EARLIEST_MS, LATEST_MS));
      const index = round % products.length;
      const victim = products[index];
      if (!victim) throw new Error("there are two processes");
      await victim.crash();
      products[index] = await startProduct({ dataDir: victim.dataDir, env, port: victim.port });
    }
    await buying;
    for (const subscriber of subscribers) {
      const { from } = subscriber;
      const to = await readHead(subscriber);
      const expected = Array.from({ length: to - from }, (_, index) => from + index + 1);
      await expect
        .poll(() => readAcknowledged(subscriber).length, { timeout: expected.length * EVENT_MS })
        .toBe(expected.length);
      expect(readAcknowledged(subscriber)).toEqual(expected);
      const ids = new Map<number, string>();
      let last = from;
      for (const message of eventsAt(subscriber)) {
        const [seq, id] = [readSeq(message), message.headers["webhook-id"] ?? ""];
        // Again after a kill, or the next one.
        expect([last, last + 1]).toContain(seq);
        expect(ids.get(seq) ?? id).toBe(id);
        ids.set(seq, id);
        if (message.isAcknowledged) last = seq;
      }
    }
    const all = subscribers.flatMap(eventsAt);
    expect(unsigned).toEqual([]);
    const failures = all.filter(({ isAcknowledged }) => !isAcknowledged).length;
    process.stdout.write(`webhooks: ${all.length} attempts, ${failures} failed\n`);
    expect(failures).toBeGreaterThan(0);
    await expectCleanBooks(env);
  },
  120_000 + ROUNDS * ROUND_MS + USERS * ORDERS_PER_USER * 5 * EVENT_MS,
);

/** Runs the receiver of docs/events.md. Its output grows with what it handles. */
async function runDocumentedReceiver(
  secret: string,
  port: number,
): Promise<{ output: () => string }> {
  const [, code] = /```js\n(\/\/ receiver\.mjs[\s\S]*?)```/.exec(
    readFileSync("docs/events.md", "utf8"),
  ) ?? [null, ""];
  expect(code).toContain("standardwebhooks");
  const folder = mkdtempSync(join(tmpdir(), "ante-receiver-"));
  folders.push(folder);
  writeFileSync(join(folder, "receiver.mjs"), code);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const child = spawn(process.execPath, ["receiver.mjs"], {
    cwd: folder,
    env: { ...process.env, ANTE_WEBHOOK_SECRET: secret, PORT: String(port) },
  });
  children.push(child);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/`, { method: "POST" }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  return { output: () => text };
}

it("the receiver of the document handles each event once, and refuses forged and old messages", async () => {
  const [user] = await seedUsers(env, 1, "1000");
  const port = 20_000 + Math.floor(Math.random() * 5_000);
  const url = `http://127.0.0.1:${port}/hooks`;
  const body = { url, types: ["fill.created"] };
  const made = await sendToAny({
    method: "POST",
    path: "/v1/webhooks",
    key: user?.apiKey ?? "",
    body,
  });
  const { id, secret } = readData<{ id: string; secret: string }>(made);
  const documented = await runDocumentedReceiver(secret, port);
  await sendToAny({ method: "POST", path: `/v1/webhooks/${id}/test`, key: user?.apiKey ?? "" });
  const tokenId = await anyToken(products[0]?.port ?? 0, user?.apiKey ?? "");
  await buy({ apiKey: user?.apiKey ?? "", path: "", secret, from: 0 }, tokenId);
  await expect.poll(documented.output).toMatch(/^fill\.created \d+$/m);

  const post = async (text: string, at: Date, by: string) => {
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(by).sign("msg_1", at, text),
    };
    return (await fetch(url, { method: "POST", headers, body: text })).status;
  };
  const other = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const text = JSON.stringify({ type: "fill.created", seq: 1_000_000 });
  const now = new Date();
  expect(await post(text, now, other)).toBe(400);
  expect(await post(text, new Date(now.getTime() - 10 * 60_000), secret)).toBe(400);
  expect(documented.output()).not.toContain("1000000");
  expect(await post(text, now, secret)).toBe(204);
  expect(await post(text, now, secret)).toBe(204);
  await expect.poll(documented.output).toContain("fill.created 1000000\n");
  expect(documented.output().match(/1000000/g)).toHaveLength(1);
});
