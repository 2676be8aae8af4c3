import "server-only";
import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

const SECRET_NAMES = [
  "KEY_ENCRYPTION_KEYS",
  "API_KEY_PEPPER",
  "NEXTAUTH_SECRET",
  "CRON_SECRET",
] as const;
type SecretName = (typeof SECRET_NAMES)[number];

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

const originOf = (host: string) => `http://${host.includes(":") ? `[${host}]` : host}`;

const REQUIRED = "is required when DATABASE_URL is set";
const longSecret = () => z.string(REQUIRED).min(32, "must have at least 32 characters");

const Variables = z.object({
  PORT: wholeNumber(3000).refine((port) => port <= 65_535, "must be at most 65535"),
  HOST: z
    .string()
    .refine((host) => URL.canParse(originOf(host)), "must be a host name or an address")
    .default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres:// or postgresql://")
    .optional(),
  VENUES: z
    .string()
    .default("paper")
    .transform((text) => text.split(",").map((name) => name.trim()))
    .pipe(z.array(z.enum(["paper", "polymarket"], "must be paper, polymarket or both")).min(1)),
  CLOB_API_URL: upstreamUrl().default("https://clob.polymarket.com"),
  GAMMA_API_URL: upstreamUrl().default("https://gamma-api.polymarket.com"),
  DATA_API_URL: upstreamUrl().default("https://data-api.polymarket.com"),
  POLYGON_CHAIN_ID: z
    .enum(["137", "80002"])
    .default("137")
    .transform((text): 137 | 80002 => (text === "137" ? 137 : 80002)),
  ALLOW_EMBEDDED_DB_FOR_LIVE: z
    .enum(["0", "1"])
    .default("0")
    .transform((text) => text === "1"),
  KEY_ENCRYPTION_KEYS: z
    .string(REQUIRED)
    .refine(
      (text) => text.split(",").every((entry) => KEY_ENCRYPTION_KEY.test(entry)),
      "must be a comma list of id:base64 with 32 bytes each",
    ),
  KEY_PROVIDER: z.enum(["environment", "aws-kms"]).default("environment"),
  AWS_KMS_KEY_ID: z
    .string()
    .regex(AWS_KMS_KEY_IDS, "must be a comma list of key ids, key ARNs or alias/names")
    .optional(),
  AWS_KMS_ENDPOINT: upstreamUrl().optional(),
  API_KEY_PEPPER: longSecret(),
  NEXTAUTH_SECRET: longSecret(),
  CRON_SECRET: longSecret(),
  NEXTAUTH_URL: z
    .url("must be a URL")
    .regex(/^https?:\/\/[^?#]+$/i, "must be http or https, without a query or a fragment")
    .optional(),
  TRUSTED_PROXIES: wholeNumber(0),
  MARKET_DATA: z
    .enum(["simulated", "polymarket"], "must be simulated or polymarket")
    .default("simulated"),
  PAPER_SEED: z.string().min(1).max(64).default("1"),
  PAPER_CLOCK: z.iso
    .datetime({ error: "must be an ISO instant such as 2026-11-21T12:00:00Z" })
    .optional(),
  SUBMIT_ATTEMPT_TIMEOUT_MS: wholeNumber(8000, 1),
  SUBMIT_BUDGET_MS: wholeNumber(15_000, 1),
  IN_PROGRESS_WAIT_MS: wholeNumber(10_000, 1),
  RECONCILE_TICK_MS: wholeNumber(1000, 10),
  ABANDON_AFTER_MS: wholeNumber(120_000, 1),
  RATE_LIMIT_READS_PER_S: wholeNumber(50),
  RATE_LIMIT_WRITES_PER_S: wholeNumber(20),
  RATE_LIMIT_STATUS: z.enum(["429", "400"]).default("429").transform(Number),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

const EnvSchema = Variables.refine(
  ({ KEY_PROVIDER, AWS_KMS_KEY_ID }) => KEY_PROVIDER !== "aws-kms" || AWS_KMS_KEY_ID !== undefined,
  { path: ["AWS_KMS_KEY_ID"], error: "is required when KEY_PROVIDER is aws-kms" },
).refine(
  ({ MARKET_DATA, PAPER_CLOCK }) => MARKET_DATA === "simulated" || PAPER_CLOCK === undefined,
  { path: ["PAPER_CLOCK"], error: "freezes simulated markets only; MARKET_DATA is polymarket" },
);

/** Every variable the service reads, for the README and `.env.example` tests. */
export const ENV_NAMES = Object.keys(Variables.shape);

export type Env = Omit<z.output<typeof EnvSchema>, "NEXTAUTH_URL"> & {
  /** Public origin without a trailing slash. */
  NEXTAUTH_URL: string;
};

let cached: Env | undefined;

/** The environment, checked once. Throws an error that names the wrong variables. */
export function env(): Env {
  cached ??= loadEnv(process.env);
  return cached;
}

/** Parses an environment. Missing secrets are made and kept in DATA_DIR if the database is there. */
export function loadEnv(source: Record<string, string | undefined>): Env {
  const given = withSecretFiles(withoutEmpty(source));
  if (!given["DATABASE_URL"]) addGeneratedSecrets(given);
  const parsed = EnvSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`environment is not valid:\n${lines.join("\n")}`);
  }
  const { HOST, PORT } = parsed.data;
  const origin = parsed.data.NEXTAUTH_URL ?? `${originOf(HOST)}:${PORT}`;
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
  for (const name of SECRET_NAMES) {
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

function addGeneratedSecrets(given: Record<string, string>): void {
  if (SECRET_NAMES.every((name) => given[name] !== undefined)) return;
  const kept = readOrCreateSecrets(
    resolve(/* turbopackIgnore: true */ given["DATA_DIR"] ?? ".data"),
  );
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
  // Written aside and linked, so that the file is there whole or not at all.
  const aside = `${path}.${process.pid}`;
  try {
    writeFileSync(aside, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
    linkSync(aside, path);
    return fresh;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  const text = readFileSync(path, "utf8");
  if (text !== "") return z.record(z.enum(SECRET_NAMES), z.string()).parse(JSON.parse(text));
  // An empty file holds no secret that anything depends on: its making was interrupted.
  rmSync(path);
  return readOrCreateSecrets(directory);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
