import "server-only";
import { resolve } from "node:path";
import { z } from "zod";
import { backupEmbedded, restoreEmbedded } from "@/lib/db/embedded-backup";
import { env, findSecrets, installSecrets, type SecretsState } from "@/lib/env";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";

interface Outcome {
  document: object;
  text: string;
  exitCode: number;
}

type Options = Record<string, string | undefined>;

/** The backup excludes the secrets, because with them it would open every wallet. */
const SECRETS_NOTE =
  "Also back up the secrets (secrets.json in the data directory, or your variables), and store them\n" +
  "separately. API keys and wallets don't work without them.";

/** Runs `backup --to FILE`: writes the embedded database to one file. */
export async function backup(options: Options): Promise<Outcome> {
  const file = parsePath("--to", options["to"]);
  assertEmbedded("pg_dump");
  const bytes = await backupEmbedded(env().DATA_DIR, file);
  const text = `Wrote ${file} (${bytes} bytes).\n${SECRETS_NOTE}`;
  return { document: { file, bytes }, text, exitCode: 0 };
}

/**
 * Runs `restore --from FILE [--secrets FILE]`: restores a backup and verifies its books. Installs the
 * secrets first, because reading the environment would generate new ones.
 */
export async function restore(options: Options): Promise<Outcome> {
  const file = parsePath("--from", options["from"]);
  if (options["secrets"] !== undefined) installSecrets(parsePath("--secrets", options["secrets"]));
  const secrets = findSecrets();
  assertEmbedded("pg_restore");
  await restoreEmbedded(env().DATA_DIR, file);
  const { ok, transfers, accounts, orders, problems } = await verifyBooksAndLogs();
  const counts = `${transfers} transfers, ${accounts} accounts, ${orders} orders`;
  const books = ok ? `No mismatches: ${counts}.` : `Mismatches:\n${problems.join("\n")}`;
  const document = { file, secrets, ok, transfers, accounts, orders, problems };
  const text = `Restored ${env().DATA_DIR} from ${file}. ${books}\n${describeSecrets(secrets)}`;
  return { document, text, exitCode: ok ? 0 : 1 };
}

/** Describes which secrets the restored database needs. Its keys and wallets don't work with others. */
function describeSecrets(secrets: SecretsState): string {
  const file = `${env().DATA_DIR}/secrets.json`;
  if (secrets === "missing") {
    return (
      `The secrets are not in the backup, and ${file} has new ones. The backup's API keys\n` +
      "and wallets don't work with them. Replace the file with your saved secrets.json before you\n" +
      "start the service, or restore into an empty DATA_DIR with --secrets FILE."
    );
  }
  const where = secrets === "given" ? "your variables are used" : `${file} is used`;
  return `The secrets are not in the backup: ${where}. They must be the ones from the backup.`;
}

function parsePath(name: string, value: string | undefined): string {
  const parsed = z.string().min(1).safeParse(value);
  if (!parsed.success) throw new Error(`${name}: enter a file name`);
  return resolve(/* turbopackIgnore: true */ parsed.data);
}

function assertEmbedded(program: string): void {
  if (env().DATABASE_URL === undefined) return;
  throw new Error(`DATABASE_URL names a Postgres server: use ${program}, see docs/operations.md`);
}
