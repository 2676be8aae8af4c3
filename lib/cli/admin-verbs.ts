import "server-only";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { z } from "zod";
import { backup, restore } from "@/lib/cli/backup";
import { parseKey } from "@/lib/auth/api-key";
import { SCOPES } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { Scope } from "@/lib/schemas/account";
import { rotateKeys } from "@/lib/custody/rotate-keys";
import type { WalletImport } from "@/lib/custody/seal-live-wallet";
import { closeDatabase, getDb, withTransaction } from "@/lib/db/client";
import { selectApiKey } from "@/lib/db/queries/api-keys";
import { selectAccount, selectUsers } from "@/lib/db/queries/users";
import { logToStandardError } from "@/lib/log";
import { readBuilderEarnings } from "@/lib/ledger/builder-earnings";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { removeAllFactors } from "@/lib/auth/second-factor/change-factors";
import { listKeys } from "@/lib/auth/list-keys";
import { revokeKey } from "@/lib/auth/manage-keys";
import { createLimitedKey } from "@/lib/limits/create-limited-key";
import { setLimits } from "@/lib/limits/change-limits";
import { freeze, thaw } from "@/lib/limits/freeze";
import { LimitsInput, writeLimits } from "@/lib/schemas/limits";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import { importLiveWallet } from "@/lib/accounts/change-live-wallet";
import { createUser } from "@/lib/accounts/create-user";
import { createResetLink } from "@/lib/accounts/reset-password";
import { requireAccount } from "@/lib/accounts/require-account";
import { settleByOperator } from "@/lib/wallet-transactions/settle-by-operator";
import { formatMicro, formatUsdc, parseMicro, usdc } from "@/lib/units";

const USAGE = `usage: npm run admin -- <verb>

  seed --users N --deposit USDC [--json]
  keys:create --user ID --name NAME --scopes read,trade,cancel,webhooks [--expires ISO] [--mode live] [--limits JSON] [--json]
  keys:list --user ID [--json]
  keys:revoke --key ID [--json]
  keys:rotate --to KEKID [--json]
  limits:set --user ID --limits JSON [--json]
  freeze --user ID | --all [--json]
  thaw --user ID | --all [--json]
  users:list [--json]
  users:reset-link --user ID [--json]
  users:remove-factors --user ID [--json]
  wallet:import --user ID --private-key-file F --funder 0x... --session-key --expires ISO [--scopes CLOB] [--json]
  wallet:import --user ID --private-key-file F --funder 0x... --signature-type N [--json]
  transactions:settle --id ID --outcome executed|not-executed --reason TEXT [--hash 0x...] [--json]
  builder:earnings [--json]
  backup --to FILE [--json]
  restore --from FILE [--secrets FILE] [--json]
  verify [--json]
`;

type Options = Record<string, string | undefined>;

interface Verb {
  options: readonly string[];
  /** Options without a value. */
  flags?: readonly string[];
  /** Returns the document to print and the exit code. */
  run: (options: Options) => Promise<Outcome>;
}

interface Outcome {
  document: object;
  text: string;
  exitCode: number;
}

const RequiredText = z.string("is required").min(1);
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
const LimitsJson = z
  .string("is required")
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: "custom", input: text, message: "must be JSON" });
      return z.NEVER;
    }
  })
  .pipe(LimitsInput);
const KeyMode = z.enum(["paper", "live"]).default("paper");
const Expiry = z.iso
  .datetime({ error: "must be an ISO instant" })
  .refine((text) => Date.parse(text) > now(), "must be in the future")
  .optional();

const VERBS: Record<string, Verb> = {
  seed: { options: ["users", "deposit"], run: seed },
  "keys:create": {
    options: ["user", "name", "scopes", "expires", "mode", "limits"],
    run: createUserKey,
  },
  "keys:list": { options: ["user"], run: listUserKeys },
  "keys:revoke": { options: ["key"], run: revokeUserKey },
  "limits:set": { options: ["user", "limits"], run: setUserLimits },
  freeze: { options: ["user"], flags: ["all"], run: freezeUsers },
  thaw: { options: ["user"], flags: ["all"], run: thawUsers },
  "users:list": { options: [], run: listUsers },
  "users:reset-link": { options: ["user"], run: makeResetLink },
  "users:remove-factors": { options: ["user"], run: removeUserFactors },
  "keys:rotate": { options: ["to"], run: rotate },
  "wallet:import": {
    options: ["user", "private-key-file", "funder", "signature-type", "expires", "scopes"],
    flags: ["session-key"],
    run: importWallet,
  },
  "transactions:settle": {
    options: ["id", "outcome", "reason", "hash"],
    run: settleTransaction,
  },
  "builder:earnings": { options: [], run: showBuilderEarnings },
  backup: { options: ["to"], run: backup },
  restore: { options: ["from", "secrets"], run: restore },
  verify: { options: [], run: verify },
};

/** Runs one verb and prints its result: text, or one JSON document with `--json`. Returns the exit code. */
export async function runVerb(argv: readonly string[]): Promise<number> {
  logToStandardError();
  const [name = "", ...rest] = argv;
  const verb = VERBS[name];
  if (!verb) {
    process.stderr.write(USAGE);
    return 1;
  }
  try {
    const { isJson, options } = parseArguments(verb, rest);
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

function parseArguments(verb: Verb, argv: readonly string[]) {
  const options: ParseArgsConfig["options"] = { json: { type: "boolean" } };
  for (const name of verb.flags ?? []) options[name] = { type: "boolean" };
  for (const name of verb.options) options[name] = { type: "string" };
  const { values } = parseArgs({ args: [...argv], options });
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string") texts[name] = value;
    else if (name !== "json" && value === true) texts[name] = "yes";
  }
  return { isJson: values["json"] === true, options: texts };
}

async function seed(options: Options): Promise<Outcome> {
  const count = parseOption("--users", Count, options["users"]);
  const deposit = parseOption("--deposit", Deposit, options["deposit"]);
  const users = [];
  for (let index = 0; index < count; index += 1) {
    const password = randomBytes(15).toString("base64url");
    const email = `seed-${randomBytes(8).toString("hex")}@ante.local`;
    const key = { name: "seed", scopes: SCOPES } as const;
    users.push({ ...(await createUser({ email, password, deposit, key })), password });
  }
  const lines = users.map(
    ({ userId, email, password, apiKey }) => `${userId}  ${email}  ${password}  ${apiKey}`,
  );
  const text =
    `Created ${count} paper users with ${formatUsdc(deposit)} USDC each: id, email, password, API key.\n` +
    `${lines.join("\n")}\nYou see the passwords and keys only once.`;
  return { document: { users }, text, exitCode: 0 };
}

async function createUserKey(options: Options): Promise<Outcome> {
  const userId = parseOption("--user", z.string().min(1), options["user"]);
  const name = parseOption("--name", z.string().min(1).max(64), options["name"]);
  const scopes = parseOption("--scopes", Scopes, options["scopes"]);
  const expires = parseOption("--expires", Expiry, options["expires"]);
  const mode = parseOption("--mode", KeyMode, options["mode"]);
  const limits = parseOption("--limits", LimitsJson.default({}), options["limits"]);
  const document = await withTransaction(async (tx) => {
    await requireAccount(tx, { userId, mode });
    const expiresAt = expires === undefined ? null : new Date(expires);
    return createLimitedKey(tx, { userId, name, mode, scopes, expiresAt, limits });
  });
  return { document, text: `${document.apiKey}\nYou see this key only once.`, exitCode: 0 };
}

async function listUserKeys(options: Options): Promise<Outcome> {
  const userId = parseOption("--user", RequiredText, options["user"]);
  await requireUser(userId);
  const { active, ended } = await listKeys(userId);
  const keys = [...active, ...ended].map((key) => ({
    keyId: key.id,
    name: key.name,
    mode: key.mode,
    scopes: key.scopes,
    state: key.state,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  }));
  const lines = keys.map(
    ({ keyId, state, mode, scopes, name }) =>
      `${keyId}  ${state}  ${mode}  ${scopes.join(",")}  ${name}`,
  );
  return { document: { keys }, text: lines.join("\n") || "This user has no keys.", exitCode: 0 };
}

/** Accepts a key's id or the whole key, for example one that leaked. */
async function revokeUserKey(options: Options): Promise<Outcome> {
  const given = parseOption("--key", RequiredText, options["key"]);
  const keyId = parseKey(given)?.id ?? given;
  const db = await getDb();
  const found = await selectApiKey(db, keyId);
  if (!found) throw new Error(`there is no key ${keyId}`);
  const { userId } = found.key;
  if (found.key.revokedAt === null) await revokeKey(userId, keyId);
  const revokedAt = (await selectApiKey(db, keyId))?.key.revokedAt?.toISOString() ?? null;
  return { document: { keyId, userId, revokedAt }, text: `Revoked the key ${keyId}.`, exitCode: 0 };
}

/** Replaces the limits that the operator sets on a user; `{}` removes them. */
async function setUserLimits(options: Options): Promise<Outcome> {
  const userId = parseOption("--user", RequiredText, options["user"]);
  const limits = parseOption("--limits", LimitsJson, options["limits"]);
  await requireUser(userId);
  await setLimits({ userId, subject: { scope: "user" }, limits });
  const document = { userId, limits: writeLimits(limits) };
  return { document, text: `Set the limits of ${userId}.`, exitCode: 0 };
}

async function freezeUsers(options: Options): Promise<Outcome> {
  const ids = await chooseUsers(options);
  const reason = "The operator froze it.";
  for (const userId of ids) await freeze({ userId, subject: { scope: "user" }, reason });
  return { document: { frozen: ids }, text: `Froze ${formatUsers(ids)}.`, exitCode: 0 };
}

async function thawUsers(options: Options): Promise<Outcome> {
  const ids = await chooseUsers(options);
  for (const userId of ids) await thaw({ userId, subject: { scope: "user" } });
  return { document: { thawed: ids }, text: `Thawed ${formatUsers(ids)}.`, exitCode: 0 };
}

const formatUsers = ({ length }: readonly string[]) =>
  length === 1 ? "1 user" : `${length} users`;

async function chooseUsers(options: Options): Promise<string[]> {
  if ((options["all"] === undefined) === (options["user"] === undefined)) {
    throw new Error("say either --user ID or --all");
  }
  if (options["user"] === undefined) {
    return (await selectUsers(await getDb())).map(({ userId }) => userId);
  }
  await requireUser(options["user"]);
  return [options["user"]];
}

async function listUsers(): Promise<Outcome> {
  const users = (await selectUsers(await getDb())).map(({ createdAt, ...user }) => ({
    ...user,
    createdAt: createdAt.toISOString(),
  }));
  const lines = users.map(
    ({ userId, status, createdAt, email }) => `${userId}  ${status}  ${createdAt}  ${email}`,
  );
  return { document: { users }, text: lines.join("\n") || "No users.", exitCode: 0 };
}

async function makeResetLink(options: Options): Promise<Outcome> {
  const userId = parseOption("--user", RequiredText, options["user"]);
  const { link, expiresAt } = await createResetLink(userId);
  const until = expiresAt.toISOString();
  const text = `${link}\nThis link works once, until ${until}. Earlier links no longer work.`;
  return { document: { userId, link, expiresAt: until }, text, exitCode: 0 };
}

/** For a user who lost every second factor. A reset link leaves them in place. */
async function removeUserFactors(options: Options): Promise<Outcome> {
  const userId = parseOption("--user", RequiredText, options["user"]);
  await removeAllFactors(userId);
  const text = "Removed the passkeys, the authenticator app and the recovery codes.";
  return { document: { userId }, text, exitCode: 0 };
}

async function requireUser(userId: string): Promise<void> {
  const account = await selectAccount(await getDb(), userId);
  if (!account) throw new Error(`there is no user ${userId}`);
}

async function rotate(options: Options): Promise<Outcome> {
  const keyId = parseOption("--to", z.string().min(1), options["to"]);
  const document = await rotateKeys(keyId);
  const { rewrapped, unchanged } = document;
  const text = `Moved ${rewrapped} secrets to "${keyId}". ${unchanged} already used it.`;
  return { document, text, exitCode: 0 };
}

async function importWallet(options: Options): Promise<Outcome> {
  const userId = parseOption("--user", RequiredText, options["user"]);
  const file = parseOption("--private-key-file", RequiredText, options["private-key-file"]);
  const funder = parseOption("--funder", RequiredText, options["funder"]);
  const kind = readWalletKind(options);
  warnIfReadable(file);
  const privateKey = readFileSync(file, "utf8");
  const document = await importLiveWallet(userId, { privateKey, funder, ...kind });
  const { address, funderAddress, sessionKey } = document;
  const text = sessionKey
    ? `Imported the session key ${address} of ${funderAddress}, valid until ${sessionKey.expiresAt.toISOString()}.`
    : `Imported the wallet of ${address}, funded by ${funderAddress}.`;
  return { document, text, exitCode: 0 };
}

/** Reads whether the file has a session key or an owner's key, which is said by its type. */
function readWalletKind(options: Options): Pick<WalletImport, "signatureType" | "sessionKey"> {
  const { expires, scopes = "CLOB" } = options;
  if (options["session-key"] === undefined) {
    if (expires !== undefined || options["scopes"] !== undefined) {
      throw new Error("--expires and --scopes belong to --session-key");
    }
    const type = parseOption("--signature-type", RequiredText, options["signature-type"]);
    return { signatureType: type };
  }
  const expiresAt = parseOption("--expires", RequiredText, expires);
  return {
    signatureType: options["signature-type"] ?? String(SIGNATURE_TYPE.depositWallet),
    sessionKey: { scopes, expiresAt },
  };
}

/** Warns if other users of this machine can read the key, and may have read it. */
function warnIfReadable(file: string): void {
  if ((statSync(file).mode & 0o077) === 0) return;
  process.stderr.write(
    `warning: other users can read ${file}; set its mode to 600 and delete it after the import\n`,
  );
}

const Hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i, "must be 0x and 64 hex digits")
  .nullable();

/** Ends a wallet transaction of which Ante can't prove whether it was executed. */
async function settleTransaction(options: Options): Promise<Outcome> {
  const id = parseOption("--id", RequiredText, options["id"]);
  const outcome = z.enum(["executed", "not-executed"]);
  const finding = {
    isExecuted: parseOption("--outcome", outcome, options["outcome"]) === "executed",
    reason: parseOption("--reason", RequiredText.max(200), options["reason"]),
    transactionHash: parseOption("--hash", Hash, options["hash"] ?? null),
  };
  const { status } = await settleByOperator(id, finding);
  return { document: { id, status }, text: `${id} is ${status}.`, exitCode: 0 };
}

const MAX_LINES = 1_000;

/** Shows what the operator's builder codes earned by live fills: the newest lines, and the totals. */
async function showBuilderEarnings(): Promise<Outcome> {
  const { totals, lines } = await readBuilderEarnings(await getDb(), MAX_LINES);
  const document = {
    totals: totals.map(({ code, amount }) => ({ code, usdc: formatMicro(amount) })),
    lines: lines.map(({ at, amount, ...line }) => ({
      ...line,
      at: at.toISOString(),
      usdc: formatMicro(amount),
    })),
  };
  const shown = [
    ...document.lines.map(
      ({ at, usdc: earned, orderId, tradeId }) => `${at}  ${earned}  ${orderId}  ${tradeId}`,
    ),
    ...document.totals.map(({ code, usdc: earned }) => `${earned} USDC by ${code}`),
  ];
  return { document, text: shown.join("\n") || "Nothing was earned yet.", exitCode: 0 };
}

async function verify(): Promise<Outcome> {
  const report = await verifyBooksAndLogs();
  const { ok, transfers, accounts, orders, problems } = report;
  const counts = `${transfers} transfers, ${accounts} accounts, ${orders} orders`;
  const text = ok ? `No mismatches: ${counts}.` : `Mismatches (${counts}):\n${problems.join("\n")}`;
  return { document: report, text, exitCode: ok ? 0 : 1 };
}

function parseOption<S extends z.ZodType>(name: string, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`${name}: ${parsed.error.issues[0]?.message ?? "is not valid"}`);
}

/** Returns the error's message, without the SQL and parameters of a failed query. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "params" in error && error.cause instanceof Error ? error.cause.message : error.message;
}
