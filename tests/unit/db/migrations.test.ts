import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = "lib/db/migrations";
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

/** What takes something away from a process of the version before, which goes on serving. */
const TAKES_AWAY =
  /\b(?:drop\s+(?:table|column|view|function|trigger|type)|rename\b|truncate\s+table|delete\s+from|set\s+not\s+null|set\s+data\s+type|alter\s+column\s+"?\w+"?\s+type)\b/i;
const ADDS_REQUIRED = /\badd\s+column\b.*\bnot\s+null\b/i;

const problemOf = (statement: string): string | null => {
  if (TAKES_AWAY.test(statement)) return `takes away: ${statement}`;
  const isWithoutValue = ADDS_REQUIRED.test(statement) && !/\bdefault\b/i.test(statement);
  return isWithoutValue ? `asks for what nobody gives: ${statement}` : null;
};

describe("a migration", () => {
  it.each(FILES)("%s only adds: processes of the version before go on beside it", (name) => {
    const statements = readFileSync(join(FOLDER, name), "utf8").split("--> statement-breakpoint");
    expect(statements.flatMap((statement) => problemOf(statement) ?? [])).toEqual([]);
  });

  it.each([
    'ALTER TABLE "orders" DROP COLUMN "held_micro";',
    'ALTER TABLE "orders" RENAME COLUMN "held_micro" TO "held";',
    'ALTER TABLE "orders" ALTER COLUMN "fee_micro" SET DATA TYPE text;',
    'ALTER TABLE "orders" ALTER COLUMN "amount_micro" SET NOT NULL;',
    'ALTER TABLE "orders" ADD COLUMN "next" text NOT NULL;',
    'DROP TABLE "orders";',
  ])("would not pass with %s", (statement) => {
    expect(problemOf(statement)).not.toBeNull();
  });

  it.each([
    'ALTER TABLE "orders" ADD COLUMN "next" text DEFAULT \'\' NOT NULL;',
    'ALTER TABLE "orders" ALTER COLUMN "amount_micro" DROP NOT NULL;',
    'DROP INDEX "orders_live_book";',
  ])("may do %s", (statement) => {
    expect(problemOf(statement)).toBeNull();
  });
});
