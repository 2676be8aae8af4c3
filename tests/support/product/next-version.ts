// The migrations of a future version of the service.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface MigrationJournal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

const FOLDER = "lib/db/migrations";
const TAG = "9999_next";

/**
 * Makes a folder in which `lib/db/migrations` has one more migration than the project.
 *
 * @returns that folder, and the one of the migrations.
 */
export function makeNextVersion(statements: readonly string[]): {
  root: string;
  migrations: string;
} {
  const root = mkdtempSync(join(tmpdir(), "ante-next-version-"));
  const migrations = join(root, FOLDER);
  mkdirSync(migrations, { recursive: true });
  cpSync(FOLDER, migrations, { recursive: true });
  const journal = join(migrations, "meta/_journal.json");
  const { entries, ...rest } = JSON.parse(readFileSync(journal, "utf8")) as MigrationJournal;
  const last = entries.at(-1);
  if (!last) throw new Error("the project has migrations");
  const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: TAG };
  writeFileSync(journal, JSON.stringify({ ...rest, entries: [...entries, next] }));
  writeFileSync(join(migrations, `${TAG}.sql`), statements.join("--> statement-breakpoint\n"));
  return { root, migrations };
}
