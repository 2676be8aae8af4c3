import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getDatabase } from "@/lib/db/client";
import { getStoredSeed, loadPaperSeed } from "@/lib/db/paper-seed";
import { lockNewMarket } from "@/lib/exchange/load-market";
import { getListedMarkets } from "@/lib/exchange/listed-markets";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

/** The environment of a test; the real one is read only once. */
const given = vi.hoisted(() => ({ seed: undefined as string | undefined }));
vi.mock("@/lib/env", async (original) => {
  const actual = await original<typeof import("@/lib/env")>();
  return { ...actual, env: () => ({ ...actual.env(), PAPER_SEED: given.seed }) };
});

beforeEach(async () => {
  given.seed = undefined;
  const { db } = await getDatabase();
  await db.execute(sql`delete from paper_seed`);
});
afterEach(async () => {
  const { db } = await getDatabase();
  await db.execute(sql`delete from markets`);
});

async function load(seed?: string) {
  given.seed = seed;
  await loadPaperSeed(await getDatabase());
  return getStoredSeed();
}

/** Inserts the row that the first trade of a simulated market writes. */
async function trade(): Promise<void> {
  const { db } = await getDatabase();
  const [market] = getListedMarkets(Date.now()).markets;
  if (!market) throw new Error("the catalogue has markets");
  await lockNewMarket(db, market);
}

it("a new database generates a seed of 256 bits and keeps it", async () => {
  const drawn = await load();
  expect(Buffer.from(drawn.seed, "base64url")).toHaveLength(32);
  expect(drawn.generator).toBe(2);
  expect(await load()).toEqual(drawn);
  const { db } = await getDatabase();
  await db.execute(sql`delete from paper_seed`);
  expect((await load()).seed).not.toBe(drawn.seed);
});

it("processes that start at the same time have the same seed", async () => {
  const database = await getDatabase();
  const seeds = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await loadPaperSeed(database);
      return getStoredSeed().seed;
    }),
  );
  expect(new Set(seeds).size).toBe(1);
});

it("PAPER_SEED is stored, and another one replaces it before the first trade", async () => {
  expect(await load("mine")).toEqual({ seed: "mine", generator: 2 });
  expect(await load()).toEqual({ seed: "mine", generator: 2 });
  expect(await load("other")).toEqual({ seed: "other", generator: 2 });
});

it("another PAPER_SEED is refused after the first trade and changes nothing", async () => {
  const drawn = await load();
  await trade();
  await expect(load("other")).rejects.toThrow("PAPER_SEED differs from the seed");
  expect(await load()).toEqual(drawn);
  expect(await load(drawn.seed)).toEqual(drawn);
});

// The last test, because its user stays in the database.
it("an upgraded database keeps the old default seed, or its PAPER_SEED", async () => {
  await makeUser();
  expect(await load()).toEqual({ seed: "1", generator: 1 });
  const { db } = await getDatabase();
  await db.execute(sql`delete from paper_seed`);
  expect(await load("mine")).toEqual({ seed: "mine", generator: 1 });
});
