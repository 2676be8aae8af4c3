import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Service, Site } from "@/bench/services";
import type { Fault, VenueCall } from "@/tests/support/live/fault-server";
import {
  cancelEverything,
  findDisagreements,
  startLiveEnvironment,
  type LiveEnvironment,
  listTokens,
  untilKnown,
} from "@/tests/support/live/product-stack";
import { MixedLoad } from "@/tests/support/live/mixed-load";
import { cleanUpAfterwards } from "@/tests/support/product/product";
import { Random, readSeed } from "@/tests/support/random";

const site = new Site();
// Registered first, so that it runs last: the servers must stop before their database.
afterAll(() => site.close());
cleanUpAfterwards();

const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 5);
const ROUND_MS = 60_000;
const TRADERS = 4;
const PER_SECOND = 20;
/** Requests of a round that finish before the kill. */
const WARM_UP = 6;
const KILLED_WITHIN_MS = 10_000;
const KNOWN_WITHIN_MS = 300_000;
/** Rounds between two full comparisons, which are slow. */
const COMPARED_EVERY = 25;

type Kill = () => Promise<void>;
/** When the process dies: during which venue call, and what happens to the call. */
type Moment = [name: string, isMeant: (call: VenueCall) => boolean, dying: (kill: Kill) => Fault];

const isPost = ({ method, path }: VenueCall) => method === "POST" && path === "/clob/order";
const isCancel = ({ method, path }: VenueCall) => method === "DELETE" && path === "/clob/order";
const isBook = ({ path }: VenueCall) => path.startsWith("/clob/book");

const unseen =
  (kill: Kill): Fault =>
  async (_, { drop }) => {
    await kill();
    drop();
  };
const underWay =
  (kill: Kill): Fault =>
  async (handle, { drop }) => {
    const handled = handle();
    await kill();
    await handled;
    drop();
  };
const taken =
  (kill: Kill): Fault =>
  async (handle, { drop }) => {
    await handle();
    await kill();
    drop();
  };
const answered =
  (kill: Kill): Fault =>
  async (handle, { send }) => {
    await send(await handle());
    await kill();
  };

const MOMENTS: readonly Moment[] = [
  ["before the claim", isBook, unseen],
  ["between claim and post", isPost, unseen],
  ["during the post", isPost, underWay],
  ["after the venue took the order", isPost, taken],
  ["after the venue's answer", isPost, answered],
  ["before the cancel", isCancel, unseen],
  ["during the cancel", isCancel, underWay],
  ["after the venue canceled", isCancel, taken],
];

let ground: LiveEnvironment;
let service: Service;
let load: MixedLoad;
const killed: Record<string, number> = {};
const random = new Random(readSeed());

beforeAll(async () => {
  await site.open();
  ground = await startLiveEnvironment(site, TRADERS);
  service = await site.start(ground.environment);
  load = new MixedLoad({
    ports: () => [service.port],
    traders: ground.traders,
    tokens: await listTokens(ground, service),
    random: random.fork(1),
    perSecond: PER_SECOND,
  });
});

it(
  `${ROUNDS} times kill -9 around live orders leaves one order per key and every venue order known`,
  async () => {
    process.stdout.write(`live crash: PRODUCT_SEED=${random.seed}\n`);
    for (let round = 0; round < ROUNDS; round += 1) {
      const moment = MOMENTS[round % MOMENTS.length] ?? random.pick(MOMENTS);
      await crashAt(moment);
      service = await site.start(ground.environment);
      if (round % COMPARED_EVERY === COMPARED_EVERY - 1) await expectAgreement();
    }
    await expectAgreement();
    process.stdout.write(`live crash: ${JSON.stringify(killed)}, ${load.answered} orders\n`);
    expect(Object.values(killed).reduce((sum, count) => sum + count, 0)).toBe(ROUNDS);
    expect((await service.product.stop()).code).toBe(0);
  },
  900_000 + ROUNDS * ROUND_MS,
);

/** Sends until the process dies at the chosen moment, or at another one if that never comes. */
async function crashAt([name, isMeant, dying]: Moment): Promise<void> {
  const { product } = service;
  const before = load.answered;
  const deaths: string[] = [];
  const kill = async (at: string) => {
    deaths.push(at);
    await product.crash();
  };
  ground.network.fault = (call) => {
    const isWarm = load.answered - before >= WARM_UP;
    return isWarm && deaths.length === 0 && isMeant(call) ? dying(() => kill(name)) : null;
  };
  load.start();
  const deadline = Date.now() + KILLED_WITHIN_MS;
  while (deaths.length === 0 && Date.now() < deadline) await wait(20);
  if (deaths.length === 0) await kill("at any moment");
  ground.network.fault = () => null;
  await load.stop();
  const [died = ""] = deaths;
  killed[died] = (killed[died] ?? 0) + 1;
}

async function expectAgreement(): Promise<void> {
  expect(await load.askForAll(KNOWN_WITHIN_MS)).toBe(0);
  await cancelEverything(ground, service.port);
  expect(await untilKnown(ground, KNOWN_WITHIN_MS)).toBe(0);
  await load.repeatAll(500);
  await load.checkLists();
  expect(load.problems).toEqual([]);
  expect(await findDisagreements(ground)).toEqual([]);
}
