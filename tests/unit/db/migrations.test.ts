import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = "lib/db/migrations";
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

/** Statements that would break processes of the old version, which keep serving. */
const REMOVES =
  /\b(?:drop\s+(?:table|column|view|function|trigger|type)|rename\b|truncate\s+table|delete\s+from|set\s+not\s+null|set\s+data\s+type|alter\s+column\s+"?\w+"?\s+type)\b/i;
const ADDS_REQUIRED = /\badd\s+column\b.*\bnot\s+null\b/i;

/** A function's body is ignored, because creating the function does not run it. */
const withoutFunctionBody = (statement: string): string =>
  /\bcreate function\b/i.test(statement) ? statement.replaceAll(/\$\$.*?\$\$/gs, "") : statement;

const findProblem = (statement: string): string | null => {
  if (REMOVES.test(withoutFunctionBody(statement))) return `removes something: ${statement}`;
  const isWithoutValue = ADDS_REQUIRED.test(statement) && !/\bdefault\b/i.test(statement);
  return isWithoutValue ? `requires a value that old processes don't write: ${statement}` : null;
};

describe("a migration", () => {
  it.each(FILES)("%s only adds, so that processes of the old version keep working", (name) => {
    const statements = readFileSync(join(FOLDER, name), "utf8").split("--> statement-breakpoint");
    expect(statements.flatMap((statement) => findProblem(statement) ?? [])).toEqual([]);
  });

  it.each([
    'ALTER TABLE "orders" DROP COLUMN "held_micro";',
    'ALTER TABLE "orders" RENAME COLUMN "held_micro" TO "held";',
    'ALTER TABLE "orders" ALTER COLUMN "fee_micro" SET DATA TYPE text;',
    'ALTER TABLE "orders" ALTER COLUMN "amount_micro" SET NOT NULL;',
    'ALTER TABLE "orders" ADD COLUMN "next" text NOT NULL;',
    'DROP TABLE "orders";',
  ])("is rejected with %s", (statement) => {
    expect(findProblem(statement)).not.toBeNull();
  });

  it.each([
    'ALTER TABLE "orders" ADD COLUMN "next" text DEFAULT \'\' NOT NULL;',
    'ALTER TABLE "orders" ALTER COLUMN "amount_micro" DROP NOT NULL;',
    'DROP INDEX "orders_live_book";',
  ])("is accepted with %s", (statement) => {
    expect(findProblem(statement)).toBeNull();
  });
});
