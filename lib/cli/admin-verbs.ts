import "server-only";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { z } from "zod";
import { backup, restore } from "@/lib/cli/backup";
import { Scope } from "@/lib/schemas/account";
import { rotateKeys } from "@/lib/custody/rotate-keys";
import { closeDatabase, withTransaction } from "@/lib/db/client";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { createKey } from "@/lib/services/keys/create-key";
import { importLiveWallet } from "@/lib/services/live-wallet/import-live-wallet";
import { createUser } from "@/lib/services/users/create-user";
import { requireAccount } from "@/lib/services/account/require-account";
import { formatUsdc, parseMicro, usdc } from "@/lib/units";

const USAGE = `usage: npm run admin -- <verb>

  seed --users N --deposit USDC [--json]
  keys:create --user ID --name NAME --scopes read,trade,cancel [--expires ISO] [--mode live] [--json]
  keys:rotate --to KEKID [--json]
  wallet:import --user ID --private-key-file F --funder 0x... --signature-type N [--json]
  backup --to FILE [--json]
  restore --from FILE [--json]
  verify [--json]
`;

interface Verb {
  options: readonly string[];
  /** Returns the document to print and the exit code. */
  run: (options: Record<string, string | undefined>) => Promise<Outcome>;
}

interface Outcome {
  document: object;
  text: string;
  exitCode: number;
}

const Count = z.coerce.number().int().min(1).max(10_000);
const Deposit = z.string().transform((text, context) => {
  const parsed = parseMicro(text);
  if (parsed.ok && parsed.micro >= 0n) return usdc(parsed.micro);
  context.issues.push({ code: "custom", input: text, message: "must be an amount such as 250.50" });
  return z.NEVER;
});
const Scopes = z
  .string()
  .transform((text) => [...new Set(text.split(","))])
  .pipe(z.array(Scope).min(1));
const KeyMode = z.enum(["paper", "live"]).default("paper");
const Expiry = z.iso.datetime({ error: "must be an ISO instant" }).optional();

const VERBS: Record<string, Verb> = {
  seed: { options: ["users", "deposit"], run: seed },
  "keys:create": { options: ["user", "name", "scopes", "expires", "mode"], run: createUserKey },
  "keys:rotate": { options: ["to"], run: rotate },
  "wallet:import": {
    options: ["user", "private-key-file", "funder", "signature-type"],
    run: importWallet,
  },
  backup: { options: ["to"], run: backup },
  restore: { options: ["from"], run: restore },
  verify: { options: [], run: verify },
};

/** Runs one verb and prints its result: a sentence, or one JSON document with `--json`. */
export async function runVerb(argv: readonly string[]): Promise<number> {
  const [name = "", ...rest] = argv;
  const verb = VERBS[name];
  if (!verb) {
    process.stderr.write(USAGE);
    return 1;
  }
  try {
    const { isJson, options } = parse(verb, rest);
    const { document, text, exitCode } = await verb.run(options);
    process.stdout.write(`${isJson ? JSON.stringify(document) : text}\n`);
    return exitCode;
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    return 1;
  } finally {
    await closeDatabase();
  }
}

function parse(verb: Verb, argv: readonly string[]) {
  const options: ParseArgsConfig["options"] = { json: { type: "boolean" } };
  for (const name of verb.options) options[name] = { type: "string" };
  const { values } = parseArgs({ args: [...argv], options });
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string") texts[name] = value;
  }
  return { isJson: values["json"] === true, options: texts };
}

async function seed(options: Record<string, string | undefined>): Promise<Outcome> {
  const count = named("--users", Count, options["users"]);
  const deposit = named("--deposit", Deposit, options["deposit"]);
  const users = [];
  for (let index = 0; index < count; index += 1) {
    const password = randomBytes(15).toString("base64url");
    const email = `seed-${randomBytes(8).toString("hex")}@ante.local`;
    const key = { name: "seed", scopes: ["read", "trade", "cancel"] } as const;
    users.push({ ...(await createUser({ email, password, deposit, key })), password });
  }
  const text = `created ${count} paper users with ${formatUsdc(deposit)} USDC each; use --json to see their keys`;
  return { document: { users }, text, exitCode: 0 };
}

async function createUserKey(options: Record<string, string | undefined>): Promise<Outcome> {
  const userId = named("--user", z.string().min(1), options["user"]);
  const name = named("--name", z.string().min(1).max(64), options["name"]);
  const scopes = named("--scopes", Scopes, options["scopes"]);
  const expires = named("--expires", Expiry, options["expires"]);
  const mode = named("--mode", KeyMode, options["mode"]);
  const document = await withTransaction(async (tx) => {
    await requireAccount(tx, { userId, mode });
    const expiresAt = expires === undefined ? null : new Date(expires);
    return createKey(tx, { userId, name, mode, scopes, expiresAt });
  });
  return { document, text: `${document.apiKey}\nThis key is shown once.`, exitCode: 0 };
}

async function rotate(options: Record<string, string | undefined>): Promise<Outcome> {
  const keyId = named("--to", z.string().min(1), options["to"]);
  const document = await rotateKeys(keyId);
  const { rewrapped, unchanged } = document;
  const text = `${rewrapped} secrets are now under "${keyId}"; ${unchanged} were already.`;
  return { document, text, exitCode: 0 };
}

async function importWallet(options: Record<string, string | undefined>): Promise<Outcome> {
  const given = z.string("is needed").min(1);
  const userId = named("--user", given, options["user"]);
  const file = named("--private-key-file", given, options["private-key-file"]);
  const funder = named("--funder", given, options["funder"]);
  const signatureType = named("--signature-type", given, options["signature-type"]);
  warnOfReaders(file);
  const privateKey = readFileSync(file, "utf8");
  const document = await importLiveWallet(userId, { privateKey, funder, signatureType });
  const text = `imported the wallet of ${document.address}, funded by ${document.funderAddress}`;
  return { document, text, exitCode: 0 };
}

/** A key that others of this machine can read may be known already. */
function warnOfReaders(file: string): void {
  if ((statSync(file).mode & 0o077) === 0) return;
  process.stderr.write(
    `warning: others can read ${file}; use mode 600, and delete it afterwards\n`,
  );
}

async function verify(): Promise<Outcome> {
  const report = await verifyBooks();
  const { ok, transfers, accounts, orders, problems } = report;
  const counts = `${transfers} transfers, ${accounts} accounts, ${orders} orders`;
  const text = ok
    ? `The books agree: ${counts}.`
    : `The books disagree (${counts}):\n${problems.join("\n")}`;
  return { document: report, text, exitCode: ok ? 0 : 1 };
}

function named<S extends z.ZodType>(name: string, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`${name}: ${parsed.error.issues[0]?.message ?? "is not valid"}`);
}

/** The message, without the statement and parameters that a failed query carries. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "params" in error && error.cause instanceof Error ? error.cause.message : error.message;
}
