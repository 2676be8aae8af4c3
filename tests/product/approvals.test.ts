import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import {
  expectCleanBooks,
  newKey,
  readData,
  runAdmin,
  seedUsers,
  type SeededUser,
  send,
  tradableTokens,
} from "@/tests/support/product/product";
import { createForm, postForm, signIn } from "@/tests/support/product/session";
import { useProcesses } from "@/tests/support/product/processes";
import { Random, readSeed } from "@/tests/support/random";

/** The long run: CRASH_ROUNDS=50. */
const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 3);
const ORDERS = 6;
const SHARES = 10;
const LATEST_MS = 600;
const ROUND_MS = 90_000;

const processes = useProcesses(2);
const { servers, portOf } = processes;
let user: SeededUser;
let agent = "";
let cookie = "";
let tokenIds: string[] = [];

beforeAll(async () => {
  const { env } = processes;
  [user] = (await seedUsers(env, 1, "10000")) as [SeededUser];
  const limits = JSON.stringify({ approvalAbove: "0" });
  const args = ["--user", user.userId, "--name", "agent", "--scopes", "read,trade,cancel"];
  const made = await runAdmin(["keys:create", ...args, "--limits", limits, "--json"], env);
  agent = (JSON.parse(made.stdout) as { apiKey: string }).apiKey;
  tokenIds = await tradableTokens(portOf(0), agent);
  cookie = await signIn(portOf(0), user);
}, ROUND_MS);

interface OrderRecord {
  status: string;
  filledShares: number;
  events: { type: string }[];
  fills: { shares: number }[];
}

const readOrder = async (orderId: string): Promise<OrderRecord> =>
  readData(await send(portOf(0), { method: "GET", path: `/v1/orders/${orderId}`, key: agent }));

async function ask(index: number): Promise<string> {
  const order = { action: "BUY", orderType: "market", shares: SHARES };
  const answer = await send(portOf(index), {
    method: "POST",
    path: "/v1/orders",
    key: agent,
    body: { ...order, tokenId: tokenIds[index % tokenIds.length], idempotencyKey: newKey() },
  });
  expect(answer.status, answer.text).toBe(200);
  const { orderId, status } = readData<{ orderId: string; status: string }>(answer);
  expect(status).toBe("pending_approval");
  return orderId;
}

/** Opens the page of an order and sends its form with the password; null if the page has no form. */
async function approve(port: number, orderId: string): Promise<number | null> {
  const path = `/approvals/${orderId}`;
  const page = await send(port, { method: "GET", path, headers: { cookie } });
  if (!page.text.includes("Approve and buy")) return null;
  const form = { ...createForm(page.text, "Approve and buy"), current: user.password };
  return (await postForm(port, { path, form, headers: { cookie } })).status;
}

it(
  `${ROUNDS} times, ${ORDERS} orders that are approved twice at once while a process is killed are each placed once`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`approvals: PRODUCT_SEED=${random.seed}\n`);
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids: string[] = [];
      for (let index = 0; index < ORDERS; index += 1) ids.push(await ask(index));
      const approving = ids.flatMap((id) =>
        servers.map(({ port }) => approve(port, id).catch(() => null)),
      );
      await wait(random.integer(1, LATEST_MS));
      const restart = await processes.kill(random.integer(0, servers.length - 1));
      await restart();
      await Promise.all(approving);
      // The owner decides what the kill left undecided.
      for (const id of ids) {
        if ((await readOrder(id)).status === "pending_approval") await approve(portOf(0), id);
      }
      for (const id of ids) await expectPlacedOnce(id);
    }
    expect(await processes.stopAll()).toEqual(servers.map(() => 0));
    await expectCleanBooks(processes.env);
  },
  ROUND_MS + ROUNDS * ROUND_MS,
);

/** An approved order is matched by its approval, or by the ticker of any process. */
async function expectPlacedOnce(orderId: string): Promise<void> {
  await expect
    .poll(async () => (await readOrder(orderId)).status, { timeout: 30_000 })
    .toMatch(/^(filled|canceled)$/);
  const { events, fills, filledShares } = await readOrder(orderId);
  expect(events.filter(({ type }) => type === "approved")).toHaveLength(1);
  expect(filledShares).toBeLessThanOrEqual(SHARES);
  expect(fills.reduce((sum, { shares }) => sum + shares, 0)).toBeCloseTo(filledShares, 6);
}
