import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import {
  cleanUpAfterwards,
  expectCleanBooks,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  seedUsers,
  startProduct,
  tradableTokens,
} from "@/tests/support/product/product";
import {
  append,
  expectKept,
  expectOneOrderPerKey,
  expectRepeated,
  type Journal,
  startLoad,
  summarize,
} from "@/tests/support/product/load";
import { Random, readSeed } from "@/tests/support/random";

cleanUpAfterwards();

const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 6);
const EARLIEST_MS = 80;
const LATEST_MS = 900;
/** One round's start, load and checks on a busy machine. */
const ROUND_MS = 30_000;

it(
  `${ROUNDS} times kill -9 under load loses no confirmed order, doubles none, and the books agree`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`crash: PRODUCT_SEED=${random.seed}\n`);
    const dataDir = preparedDataDir();
    const users = await seedUsers({ DATA_DIR: dataDir }, 4, "100000");
    const apiKeys = users.map((user) => user.apiKey);
    // The history of the demo account.
    const { orders: earlier } = await expectCleanBooks({ DATA_DIR: dataDir });
    const all: Journal = { placements: [], cancellations: [] };
    const startTimes: number[] = [];
    let product = await startProduct({ dataDir, env: NO_LIMITS });
    const tokenIds = (await tradableTokens(product.port, apiKeys[0] ?? "")).slice(0, 8);

    for (let round = 1; round <= ROUNDS; round += 1) {
      const options = { apiKeys, tokenIds, random: random.fork(round), name: `r${round}` };
      const { journal, killedAfterMs } = await crashUnderLoad(product, options);
      process.stdout.write(`crash ${round}: after ${killedAfterMs} ms, ${summarize(journal)}\n`);
      product = await startProduct({ dataDir, env: NO_LIMITS, port: product.port });
      startTimes.push(product.readyInMs);
      await expectKept(journal, [product.port]);
      append(all, journal);
      await expectOneOrderPerKey(all, product.port);
    }

    await expectRepeated(all, [product.port]);
    const orders = await expectOneOrderPerKey(all, product.port);
    expect((await product.stop()).code).toBe(0);
    expect(await expectCleanBooks({ DATA_DIR: dataDir })).toMatchObject({
      orders: earlier + orders,
    });
    process.stdout.write(
      `crash: ${ROUNDS} rounds, ${orders} orders, starts of ${Math.min(...startTimes)} to ${Math.max(...startTimes)} ms\n`,
    );
  },
  60_000 + ROUNDS * ROUND_MS,
);

async function crashUnderLoad(
  product: Product,
  options: { apiKeys: string[]; tokenIds: string[]; random: Random; name: string },
) {
  const killedAfterMs = options.random.integer(EARLIEST_MS, LATEST_MS);
  const load = startLoad({ ...options, ports: [product.port] });
  // Mostly a warm server, sometimes one that has just started.
  if (options.random.chance(0.8)) await load.untilAnswered(16);
  await wait(killedAfterMs);
  await product.crash();
  await load.stop();
  return { journal: load.journal, killedAfterMs };
}
