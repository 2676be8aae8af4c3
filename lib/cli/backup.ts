import "server-only";
import { resolve } from "node:path";
import { z } from "zod";
import { backupEmbedded, restoreEmbedded } from "@/lib/db/embedded-backup";
import { env } from "@/lib/env";
import { verifyBooks } from "@/lib/ledger/verify-books";

interface Outcome {
  document: object;
  text: string;
  exitCode: number;
}

type Options = Record<string, string | undefined>;

/** The secrets stay out of the file: together they would open every wallet in it. */
const SECRETS_NOTE =
  "Keep the secrets (secrets.json of the data directory, or your variables) as well, and apart from\n" +
  "it: without them no API key works and no wallet opens.";

/** `backup --to FILE`: everything of the embedded database in one file. */
export async function backup(options: Options): Promise<Outcome> {
  const file = fileOf("--to", options["to"]);
  assertEmbedded("pg_dump");
  const bytes = await backupEmbedded(env().DATA_DIR, file);
  const text = `wrote ${file} (${bytes} bytes).\n${SECRETS_NOTE}`;
  return { document: { file, bytes }, text, exitCode: 0 };
}

/** `restore --from FILE`: a database out of such a file, and whether its books agree. */
export async function restore(options: Options): Promise<Outcome> {
  const file = fileOf("--from", options["from"]);
  assertEmbedded("pg_restore");
  await restoreEmbedded(env().DATA_DIR, file);
  const { ok, transfers, accounts, orders, problems } = await verifyBooks();
  const counts = `${transfers} transfers, ${accounts} accounts, ${orders} orders`;
  const books = ok ? `The books agree: ${counts}.` : `The books disagree:\n${problems.join("\n")}`;
  const document = { file, ok, transfers, accounts, orders, problems };
  const text = `restored ${env().DATA_DIR} from ${file}. ${books}`;
  return { document, text, exitCode: ok ? 0 : 1 };
}

function fileOf(name: string, value: string | undefined): string {
  const parsed = z.string().min(1).safeParse(value);
  if (!parsed.success) throw new Error(`${name}: name a file`);
  return resolve(/* turbopackIgnore: true */ parsed.data);
}

function assertEmbedded(program: string): void {
  if (env().DATABASE_URL === undefined) return;
  throw new Error(`DATABASE_URL names a Postgres server: use ${program}, see the README`);
}
