import { inspect } from "node:util";
import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getDb, withTransaction } from "@/lib/db/client";
import { findErrorCode, isUniqueViolation } from "@/lib/db/errors";
import { users } from "@/lib/db/schema/accounts";
import { errorFields } from "@/lib/log";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";

useFreshDatabase();

const CANARY = "canary-9f2c71";

async function thrownBy(attempt: Promise<unknown>): Promise<Error> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("the statement did not fail");
}

const user = (id: string) => ({
  id,
  email: `${CANARY}@example.test`,
  passwordHash: CANARY,
  status: "active" as const,
  epoch: 1,
  createdAt: new Date(),
});

/** Statements whose errors would quote their parameters. */
const FAILING: [string, () => Promise<unknown>, string][] = [
  [
    "text that cannot be stored",
    async () =>
      (await getDb())
        .select()
        .from(users)
        .where(eq(users.email, `\0${CANARY}`)),
    "22021",
  ],
  [
    "a value of the wrong type",
    async () => (await getDb()).execute(sql`select ${CANARY}::text::bigint`),
    "22P02",
  ],
  [
    "malformed JSON",
    async () => (await getDb()).execute(sql`select ${`{${CANARY}`}::text::jsonb`),
    "22P02",
  ],
  [
    "a missing table",
    async () => (await getDb()).execute(sql`select * from nowhere where a = ${CANARY}`),
    "42P01",
  ],
  [
    "a second row with the same unique value",
    async () => {
      await (await getDb()).insert(users).values(user("usr_first")).onConflictDoNothing();
      return (await getDb()).insert(users).values(user("usr_second"));
    },
    "23505",
  ],
];

describe("a failed statement", () => {
  it.each(FAILING)("contains no value: %s", async (_name, attempt, code) => {
    const error = await thrownBy(attempt());
    expect(findErrorCode(error)).toBe(code);
    // Everything that a log could print, including hidden properties and causes.
    const printed = inspect(error, { depth: 20, showHidden: true });
    expect(printed + String(error.stack) + JSON.stringify(errorFields(error))).not.toContain(
      CANARY,
    );
    expect(printed).toContain("a query failed");
    expect(printed).not.toMatch(/select|insert into/i);
  });

  it("contains no value inside a transaction and keeps its code", async () => {
    const error = await thrownBy(
      withTransaction(async (tx) => {
        await tx.insert(users).values(user("usr_third")).onConflictDoNothing();
        await tx.insert(users).values(user("usr_fourth"));
      }),
    );
    expect(isUniqueViolation(error)).toBe(true);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(CANARY);
  });

  it("names the violated constraint", async () => {
    const [, attempt] = FAILING[4] ?? [];
    expect((await thrownBy(Promise.resolve(attempt?.()))).message).toMatch(/unique/);
  });
});
