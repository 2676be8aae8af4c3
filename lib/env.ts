import "server-only";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { DefaultLimits } from "@/lib/schemas/limits";

export const SECRET_NAMES = [
  "KEY_ENCRYPTION_KEYS",
  "API_KEY_PEPPER",
  "NEXTAUTH_SECRET",
  "CRON_SECRET",
] as const;
type SecretName = (typeof SECRET_NAMES)[number];
/** Secrets of other services. They are never generated. */
const GIVEN_SECRET_NAMES = ["BUILDER_API_KEY", "BUILDER_SECRET", "BUILDER_PASSPHRASE"] as const;
const SecretsFile = z.record(z.enum(SECRET_NAMES), z.string());

const wholeNumber = (fallback: number, minimum = 0) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= minimum, `must be at least ${minimum}`);

const upstreamUrl = () =>
  z.url("must be a URL").refine((text) => {
    if (!URL.canParse(text)) return true;
    const url = new URL(text);
    return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  }, "must be https; http is allowed on loopback only");

const KEY_ENCRYPTION_KEY = /^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=$/;
const AWS_KMS_KEY_IDS = /^[A-Za-z0-9:/_-]{1,256}(,[A-Za-z0-9:/_-]{1,256})*$/;

const BUILDER_KEY = /^[\w-]{1,64}:[A-Za-z0-9+/_-]{16,200}={0,2}:\w{1,200}$/;

function parseBuilderKey(text: string) {
  const [key = "", secret = "", passphrase = ""] = text.split(":");
  return { key, secret, passphrase };
}

const toOrigin = (host: string) => `http://${host.includes(":") ? `[${host}]` : host}`;

const REQUIRED = "is required when DATABASE_URL is set";
const longSecret = () => z.string(REQUIRED).min(32, "must have at least 32 characters");

/** The descriptions become docs/configuration.md: run `npm run docs` after a change. */
export const EnvVariables = z.object({
  PORT: wholeNumber(3000)
    .refine((port) => port <= 65_535, "must be at most 65535")
    .describe("Port of the listen address."),
  HOST: z
    .string()
    .refine((host) => URL.canParse(toOrigin(host)), "must be a host name or an address")
    .default("127.0.0.1")
    .describe("Host name or IP address of the listen address. `0.0.0.0` listens on all of them."),
  DATA_DIR: z
    .string()
    .min(1)
    .default(".data")
    .describe(
      "Folder of the embedded database, the generated secrets and the demo credentials. Its mode is 0700.",
    ),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres:// or postgresql://")
    .refine(
      (url) => !/[?&]target_session_attrs=(?!(read-write|primary)(&|$))/.test(url),
      "has target_session_attrs, which must be read-write or primary",
    )
    .optional()
    .describe(
      "URL of a Postgres server, or of several: `postgres://user@a,b/ante?target_session_attrs=read-write` uses the one that accepts writes. If set, the embedded database is not used.",
    ),
  DATABASE_POOLER: z
    .enum(["transaction"], "must be transaction, or unset")
    .optional()
    .describe(
      "`transaction`: a pooler in transaction mode that knows no prepared statements is in front of the Postgres server, such as PgBouncer before 1.21.",
    ),
  VENUES: z
    .string()
    .default("paper")
    .transform((text) => text.split(",").map((name) => name.trim()))
    .pipe(z.array(z.enum(["paper", "polymarket"], "must be paper, polymarket or both")).min(1))
    .describe(
      "`paper`, `polymarket`, or both, separated by a comma. `polymarket` trades real money.",
    ),
  SANDBOX_RULES: z
    .enum(["open", "strict"], "must be open or strict")
    .default("open")
    .describe(
      "Which wallets may trade on the sandbox. `open`: every wallet, with paper money from the start. `strict`: deposit wallets that were deployed and approved through the relayer, as at the venue.",
    ),
  SANDBOX_RELAYER_MS: wholeNumber(2_000).describe(
    "Milliseconds from a transaction's submission to the sandbox's relayer until it is confirmed. It takes effect after half of them. At 0, it is confirmed at once.",
  ),
  SANDBOX_RELAYER_QUOTA: wholeNumber(25).describe(
    "Transactions that a key can submit to the sandbox's relayer in a minute; 0 for no limit.",
  ),
  SANDBOX_BUILDER_KEY: z
    .string()
    .regex(BUILDER_KEY, "must be a key, a base64 secret and a passphrase, separated by colons")
    .transform(parseBuilderKey)
    .optional()
    .describe(
      "A builder key that the sandbox's relayer accepts besides those that it issues: `key:secret:passphrase`.",
    ),
  CLOB_API_URL: upstreamUrl()
    .default("https://clob.polymarket.com")
    .describe("Polymarket's order API. https, or http on loopback."),
  GAMMA_API_URL: upstreamUrl()
    .default("https://gamma-api.polymarket.com")
    .describe("Polymarket's market catalogue. https, or http on loopback."),
  DATA_API_URL: upstreamUrl()
    .default("https://data-api.polymarket.com")
    .describe("Polymarket's positions and trades. https, or http on loopback."),
  RELAYER_API_URL: upstreamUrl()
    .default("https://relayer-v2.polymarket.com")
    .describe(
      "Polymarket's relayer, which sends claims and approvals. https, or http on loopback.",
    ),
  POLYGON_RPC_URL: upstreamUrl().optional().meta({
    description:
      "JSON-RPC address of a Polygon node, for balances and approvals of wallets. https, or http on loopback.",
    ifUnset: "no live claims",
  }),
  BUILDER_API_KEY: z.string().max(512).optional().meta({
    description: "Key of your builder account at Polymarket, for the relayer.",
    ifUnset: "no live claims",
  }),
  BUILDER_SECRET: z
    .string()
    .regex(/^[A-Za-z0-9+/_-]{16,512}={0,2}$/, "must be base64")
    .optional()
    .meta({ description: "Secret of that key.", ifUnset: "no live claims" }),
  BUILDER_PASSPHRASE: z
    .string()
    .max(512)
    .optional()
    .meta({ description: "Passphrase of that key.", ifUnset: "no live claims" }),
  POLYGON_CHAIN_ID: z
    .enum(["137", "80002"])
    .default("137")
    .transform((text): 137 | 80002 => (text === "137" ? 137 : 80002))
    .describe("`137` is Polygon, `80002` is the Amoy test network."),
  BUILDER_CODE: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes as hex: 0x and 64 digits")
    .refine((code) => /[1-9a-fA-F]/.test(code.slice(2)), "must not be zero")
    .transform((code) => code.toLowerCase())
    .optional()
    .describe(
      "Your builder code at Polymarket. Live orders carry it, and you earn the fees that you set for it there. Users see them before they order. None by default.",
    ),
  ALLOW_EMBEDDED_DB_FOR_LIVE: z
    .enum(["0", "1"])
    .default("0")
    .transform((text) => text === "1")
    .describe("`1` allows live trading without `DATABASE_URL`."),
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(["0", "1"])
    .default("0")
    .transform((text) => text === "1")
    .describe(
      "`1` sends webhooks and push notifications to http and private addresses too, for development.",
    ),
  KEY_ENCRYPTION_KEYS: z
    .string(REQUIRED)
    .refine(
      (text) => text.split(",").every((entry) => KEY_ENCRYPTION_KEY.test(entry)),
      "must be a comma list of id:base64 with 32 bytes each",
    )
    .describe("Wraps users' signing keys. Comma list of `id:base64` with 32 bytes, newest first."),
  KEY_PROVIDER: z
    .enum(["environment", "aws-kms"])
    .default("environment")
    .describe(
      "Wraps new signing keys: `environment` uses `KEY_ENCRYPTION_KEYS`, `aws-kms` a key of AWS KMS.",
    ),
  AWS_KMS_KEY_ID: z
    .string()
    .regex(AWS_KMS_KEY_IDS, "must be a comma list of key ids, key ARNs or alias/names")
    .optional()
    .describe(
      "Key ids, ARNs or `alias/…`, separated by commas, newest first. No other key is used.",
    ),
  AWS_KMS_ENDPOINT: upstreamUrl().optional().meta({
    description: "Endpoint of AWS KMS. https, or http on loopback.",
    ifUnset: "AWS's endpoint of the region",
  }),
  API_KEY_PEPPER: longSecret().describe(
    "Key of the API key hashes. If it changes, every API key stops working.",
  ),
  NEXTAUTH_SECRET: longSecret().describe(
    "Seals session cookies and page cursors. If it changes, all sessions end.",
  ),
  CRON_SECRET: longSecret().describe("Bearer token of `/api/cron` and `/api/ops`."),
  NEXTAUTH_URL: z
    .url("must be a URL")
    .regex(/^https?:\/\/[^?#]+$/i, "must be http or https, without a query or a fragment")
    .optional()
    .meta({ description: "Public origin of the service.", ifUnset: "`http://HOST:PORT`" }),
  TRUSTED_PROXIES: wholeNumber(0).describe(
    "Number of reverse proxies that add to `X-Forwarded-For`. Sign-in limits need it.",
  ),
  REQUIRE_SECOND_FACTOR: z
    .enum(["0", "1"])
    .default("0")
    .transform((text) => text === "1")
    .describe(
      "`1` refuses switching to live, wallets, live keys and other guarded actions until the user sets up a second factor.",
    ),
  MARKET_DATA: z
    .enum(["simulated", "polymarket"], "must be simulated or polymarket")
    .default("simulated")
    .describe(
      "Source of the paper markets: `simulated`, or `polymarket` for its live order books.",
    ),
  PAPER_SEED: z.string().min(1).max(64).optional().meta({
    description: "Seed of the simulated markets. Set it for reproducible tests only.",
    ifUnset: "drawn per installation",
  }),
  PAPER_CLOCK: z.iso
    .datetime({ error: "must be an ISO instant such as 2026-11-21T12:00:00Z" })
    .optional()
    .describe("ISO instant. Freezes the clock of the simulated markets."),
  SUBMIT_ATTEMPT_TIMEOUT_MS: wholeNumber(8000, 1).describe(
    "Timeout of one attempt to post a live order.",
  ),
  SUBMIT_BUDGET_MS: wholeNumber(15_000, 1).describe("Time for all attempts of one request."),
  IN_PROGRESS_WAIT_MS: wholeNumber(10_000, 1).describe(
    "How long a request waits for another request with the same idempotency key.",
  ),
  RECONCILE_TICK_MS: wholeNumber(1000, 10).describe("Interval of the reconciler of live orders."),
  ABANDON_AFTER_MS: wholeNumber(120_000, 1).describe(
    "A live order that the venue has not shown for this long is abandoned.",
  ),
  RATE_LIMIT_READS_PER_S: wholeNumber(50).describe(
    "Reads per second and API key, with bursts of 4 times as many. `0` turns the limit off.",
  ),
  RATE_LIMIT_WRITES_PER_S: wholeNumber(20).describe(
    "Writes per second and API key, with bursts of 3 times as many. `0` turns the limit off.",
  ),
  DEFAULT_LIMITS: z.string().transform(parseJson).pipe(DefaultLimits).optional().meta({
    description:
      'Limits of every user without limits of their own, as JSON such as `{"perDay":"100"}`: see docs/limits.md.',
    ifUnset: "no limits",
  }),
  RATE_LIMIT_STATUS: z
    .enum(["429", "400"])
    .default("429")
    .transform(Number)
    .describe("Status above a limit. `400` is for clients that accept only documented statuses."),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe(
      "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. Logs are JSON lines.",
    ),
});

const EnvSchema = EnvVariables.refine(
  ({ KEY_PROVIDER, AWS_KMS_KEY_ID }) => KEY_PROVIDER !== "aws-kms" || AWS_KMS_KEY_ID !== undefined,
  { path: ["AWS_KMS_KEY_ID"], error: "is required when KEY_PROVIDER is aws-kms" },
)
  .refine(
    ({ BUILDER_API_KEY, BUILDER_SECRET, BUILDER_PASSPHRASE }) =>
      new Set(
        [BUILDER_API_KEY, BUILDER_SECRET, BUILDER_PASSPHRASE].map((text) => text === undefined),
      ).size === 1,
    {
      path: ["BUILDER_API_KEY"],
      error: "is set together with BUILDER_SECRET and BUILDER_PASSPHRASE, or not at all",
    },
  )
  .refine(
    ({ MARKET_DATA, PAPER_CLOCK }) => MARKET_DATA === "simulated" || PAPER_CLOCK === undefined,
    { path: ["PAPER_CLOCK"], error: "freezes simulated markets only; MARKET_DATA is polymarket" },
  );

/** Every variable that the service reads. */
export const ENV_NAMES = Object.keys(EnvVariables.shape);

export type Env = Omit<z.output<typeof EnvSchema>, "NEXTAUTH_URL"> & {
  /** Public origin without a trailing slash. */
  NEXTAUTH_URL: string;
};

let cached: Env | undefined;

/** Returns the environment, parsed once. Throws an error that names every invalid variable. */
export function env(): Env {
  cached ??= loadEnv(process.env);
  return cached;
}

/** Parses an environment. With the embedded database, generates missing secrets into DATA_DIR. */
export function loadEnv(source: Record<string, string | undefined>): Env {
  const given = withSecretFiles(withoutEmpty(source));
  if (!given["DATABASE_URL"]) addGeneratedSecrets(given);
  const parsed = EnvSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`environment is not valid:\n${lines.join("\n")}`);
  }
  const { HOST, PORT } = parsed.data;
  const origin = parsed.data.NEXTAUTH_URL ?? `${toOrigin(HOST)}:${PORT}`;
  return {
    ...parsed.data,
    DATA_DIR: resolve(/* turbopackIgnore: true */ parsed.data.DATA_DIR),
    NEXTAUTH_URL: origin.replace(/\/+$/, ""),
  };
}

function withoutEmpty(source: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(source).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return Object.fromEntries(entries);
}

function withSecretFiles(given: Record<string, string>): Record<string, string> {
  for (const name of [...SECRET_NAMES, ...GIVEN_SECRET_NAMES]) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      throw new Error(`environment is not valid:\n  ${name}: set it or ${name}_FILE, not both`);
    }
    given[name] = readSecretFile(`${name}_FILE`, path);
  }
  return given;
}

function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new Error(`environment is not valid:\n  ${name}: the file cannot be read`, {
      cause: error,
    });
  }
}

/** Where the secrets are: in variables, in DATA_DIR, or nowhere. */
export type SecretsState = "given" | "kept" | "missing";

const findDataDirectory = (source: Record<string, string | undefined>) =>
  resolve(/* turbopackIgnore: true */ source["DATA_DIR"] || ".data");

/** Finds where the secrets are, without generating any. */
export function findSecrets(
  source: Record<string, string | undefined> = process.env,
): SecretsState {
  if (SECRET_NAMES.every((name) => source[name] || source[`${name}_FILE`])) return "given";
  const path = join(findDataDirectory(source), "secrets.json");
  return existsSync(path) && readFileSync(path, "utf8") !== "" ? "kept" : "missing";
}

/** Installs a saved `secrets.json` into DATA_DIR. Throws if DATA_DIR has other secrets. */
export function installSecrets(
  file: string,
  source: Record<string, string | undefined> = process.env,
): void {
  const text = readFileSync(file, "utf8");
  const parsed = SecretsFile.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`${file} is not a secrets.json`);
  const directory = findDataDirectory(source);
  const path = join(directory, "secrets.json");
  if (existsSync(path) && readFileSync(path, "utf8") !== "") {
    const kept = SecretsFile.safeParse(parseJson(readFileSync(path, "utf8")));
    const isSame =
      kept.success && SECRET_NAMES.every((name) => kept.data[name] === parsed.data[name]);
    if (isSame) return;
    throw new Error(`${path} already exists with other secrets; move it away first`);
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify(parsed.data, null, 2)}\n`, { mode: 0o600 });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function addGeneratedSecrets(given: Record<string, string>): void {
  if (SECRET_NAMES.every((name) => given[name] !== undefined)) return;
  const kept = readOrCreateSecrets(findDataDirectory(given));
  for (const name of SECRET_NAMES) given[name] ??= kept[name];
}

function readOrCreateSecrets(directory: string): Record<SecretName, string> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const path = join(directory, "secrets.json");
  const fresh: Record<SecretName, string> = {
    KEY_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    API_KEY_PEPPER: randomBytes(32).toString("base64url"),
    NEXTAUTH_SECRET: randomBytes(32).toString("base64url"),
    CRON_SECRET: randomBytes(32).toString("base64url"),
  };
  // Written to a temporary file and linked, so that the file is complete or missing. The name is
  // random, because processes in two containers can have the same id.
  const temporary = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
    linkSync(temporary, path);
    return fresh;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const text = readFileSync(path, "utf8");
  if (text !== "") return SecretsFile.parse(JSON.parse(text));
  // The creation of an empty file was interrupted, so nothing depends on its secrets.
  rmSync(path);
  return readOrCreateSecrets(directory);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
