import "server-only";
import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Database, Tx } from "@/lib/db/database";
import { paperSeed } from "@/lib/db/schema/paper-seed";
import { env } from "@/lib/env";

/** The seed of an installation's simulated markets. It is a secret. */
export interface StoredSeed {
  seed: string;
  generator: 1 | 2;
}

/** The default PAPER_SEED of installations before seeds were drawn at random. */
const FORMER_DEFAULT = "1";

// Next and the server entry are separate bundles of these modules; only globalThis is shared.
const SEED = Symbol.for("ante.paper-seed");
const holder = globalThis as typeof globalThis & { [SEED]?: StoredSeed };

/** Returns the seed of the open database. */
export function getStoredSeed(): StoredSeed {
  const stored = holder[SEED];
  if (!stored) throw new Error("the paper seed is not loaded; open the database first");
  return stored;
}

/**
 * Reads the database's seed, and draws one if there is none. A database that was in use before seeds
 * were stored keeps the former default, so that its markets and results do not change.
 *
 * @throws if PAPER_SEED differs from the seed of markets that were traded here.
 */
export async function loadPaperSeed({ db }: Pick<Database, "db">): Promise<void> {
  const given = env().PAPER_SEED;
  const fresh = given ?? randomBytes(32).toString("base64url");
  await db.execute(sql`
    insert into paper_seed (seed, generator)
    select case when used.is_used then ${given ?? FORMER_DEFAULT}::text else ${fresh}::text end,
      case when used.is_used then 1 else 2 end
    from (select exists (select from users) or exists (select from markets) as is_used) used
    on conflict do nothing`);
  let stored = await selectSeed(db);
  if (given !== undefined && given !== stored.seed) {
    await db.execute(sql`
      update paper_seed set seed = ${given}::text
      where not exists (select from markets where template_id is not null)`);
    stored = await selectSeed(db);
    if (stored.seed !== given) {
      throw new Error(
        "PAPER_SEED differs from the seed of the markets that were traded in this database. " +
          "Remove PAPER_SEED or set the former one: with another seed, the prices, results and " +
          "positions of these markets would be missing.",
      );
    }
  }
  holder[SEED] = stored;
}

async function selectSeed(db: Tx): Promise<StoredSeed> {
  const { seed, generator } = paperSeed;
  const [stored] = await db.select({ seed, generator }).from(paperSeed);
  if (!stored) throw new Error("the database has no paper seed");
  return stored;
}
