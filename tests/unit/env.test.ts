import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ENV_NAMES, loadEnv } from "@/lib/env";

const ROOT = mkdtempSync(join(tmpdir(), "ante-env-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

const KEK = `k1:${Buffer.alloc(32, 1).toString("base64")}`;
/** Valid secrets, so that none are generated. */
const SECRETS = {
  KEY_ENCRYPTION_KEYS: KEK,
  API_KEY_PEPPER: "p".repeat(32),
  NEXTAUTH_SECRET: "n".repeat(32),
  CRON_SECRET: "c".repeat(32),
};
const SECRET_NAMES = Object.keys(SECRETS);
const SERVER = { DATABASE_URL: "postgres://u@127.0.0.1/db" };

let directories = 0;
/** A data directory that does not exist yet. */
const newDirectory = () => join(ROOT, String((directories += 1)));

function fileWith(content: string): string {
  const path = newDirectory();
  writeFileSync(path, content);
  return path;
}

function listProblems(source: Record<string, string | undefined>): string {
  try {
    loadEnv(source);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("without any variable", () => {
  it("the documented defaults apply", () => {
    const { DATA_DIR, ...env } = loadEnv(SECRETS);
    expect(DATA_DIR).toBe(resolve(".data"));
    expect(env).toEqual({
      ...SECRETS,
      PORT: 3000,
      HOST: "127.0.0.1",
      VENUES: ["paper"],
      CLOB_API_URL: "https://clob.polymarket.com",
      GAMMA_API_URL: "https://gamma-api.polymarket.com",
      DATA_API_URL: "https://data-api.polymarket.com",
      RELAYER_API_URL: "https://relayer-v2.polymarket.com",
      POLYGON_CHAIN_ID: 137,
      NEXTAUTH_URL: "http://127.0.0.1:3000",
      TRUSTED_PROXIES: 0,
      KEY_PROVIDER: "environment",
      ALLOW_EMBEDDED_DB_FOR_LIVE: false,
      WEBHOOK_ALLOW_PRIVATE: false,
      REQUIRE_SECOND_FACTOR: false,
      MARKET_DATA: "simulated",
      SANDBOX_RULES: "open",
      SANDBOX_RELAYER_MS: 2_000,
      SANDBOX_RELAYER_QUOTA: 25,
      SUBMIT_ATTEMPT_TIMEOUT_MS: 8_000,
      SUBMIT_BUDGET_MS: 15_000,
      IN_PROGRESS_WAIT_MS: 10_000,
      RECONCILE_TICK_MS: 1_000,
      ABANDON_AFTER_MS: 120_000,
      RATE_LIMIT_READS_PER_S: 50,
      RATE_LIMIT_WRITES_PER_S: 20,
      RATE_LIMIT_STATUS: 429,
      LOG_LEVEL: "info",
    });
  });

  it("an empty variable counts as unset, and unknown ones are ignored", () => {
    const empty = Object.fromEntries(ENV_NAMES.map((name) => [name, ""]));
    expect(loadEnv({ ...empty, ...SECRETS, HOME: "/root" })).toEqual(loadEnv(SECRETS));
  });
});

describe("values", () => {
  it.each([
    ["PORT", "0", 0],
    ["PORT", "65535", 65_535],
    ["VENUES", " paper ", ["paper"]],
    ["VENUES", "paper, polymarket", ["paper", "polymarket"]],
    ["POLYGON_CHAIN_ID", "80002", 80_002],
    ["BUILDER_CODE", `0x${"AB".repeat(32)}`, `0x${"ab".repeat(32)}`],
    ["CLOB_API_URL", "http://localhost:4000", "http://localhost:4000"],
    ["CLOB_API_URL", "http://127.0.0.1:4000", "http://127.0.0.1:4000"],
    ["GAMMA_API_URL", "http://[::1]:4000", "http://[::1]:4000"],
    ["PAPER_CLOCK", "2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"],
    ["MARKET_DATA", "simulated", "simulated"],
    ["MARKET_DATA", "polymarket", "polymarket"],
    ["SANDBOX_RULES", "strict", "strict"],
    ["SANDBOX_RELAYER_MS", "0", 0],
    ["SANDBOX_RELAYER_QUOTA", "0", 0],
    [
      "SANDBOX_BUILDER_KEY",
      "1-2:c2Vjb25kIHNlY3JldA==:0f",
      { key: "1-2", secret: "c2Vjb25kIHNlY3JldA==", passphrase: "0f" },
    ],
    ["RATE_LIMIT_READS_PER_S", "0", 0],
    ["RATE_LIMIT_STATUS", "400", 400],
    ["DEFAULT_LIMITS", '{"perDay":"100"}', { perDay: 100_000_000n }],
    ["NEXTAUTH_URL", "https://ante.example/", "https://ante.example"],
    ["AWS_KMS_KEY_ID", "alias/new,alias/old", "alias/new,alias/old"],
    ["AWS_KMS_ENDPOINT", "http://127.0.0.1:4566", "http://127.0.0.1:4566"],
    ["ALLOW_EMBEDDED_DB_FOR_LIVE", "1", true],
    ["WEBHOOK_ALLOW_PRIVATE", "1", true],
    ["REQUIRE_SECOND_FACTOR", "1", true],
    ["DATABASE_URL", "postgresql://u:p@db/ante", "postgresql://u:p@db/ante"],
    ["DATABASE_POOLER", "transaction", "transaction"],
    ["KEY_ENCRYPTION_KEYS", `new:${KEK.slice(3)},${KEK}`, `new:${KEK.slice(3)},${KEK}`],
  ])("%s may be %s", (name, text, value) => {
    expect(loadEnv({ ...SECRETS, [name]: text })).toMatchObject({ [name]: value });
  });

  it("aws-kms requires AWS_KMS_KEY_ID", () => {
    expect(listProblems({ ...SECRETS, KEY_PROVIDER: "aws-kms" })).toMatch(
      /^ {2}AWS_KMS_KEY_ID: is required when KEY_PROVIDER is aws-kms$/m,
    );
    const named = { ...SECRETS, KEY_PROVIDER: "aws-kms", AWS_KMS_KEY_ID: "alias/ante" };
    expect(loadEnv(named).KEY_PROVIDER).toBe("aws-kms");
  });

  it("PAPER_CLOCK is rejected with MARKET_DATA=polymarket", () => {
    const frozen = { ...SECRETS, PAPER_CLOCK: "2026-11-21T12:00:00Z" };
    expect(listProblems({ ...frozen, MARKET_DATA: "polymarket" })).toMatch(/^ {2}PAPER_CLOCK: /m);
    expect(listProblems({ ...frozen, MARKET_DATA: "simulated" })).toBe("");
  });

  it("the public origin defaults to host and port", () => {
    expect(loadEnv({ ...SECRETS, HOST: "::", PORT: "80" }).NEXTAUTH_URL).toBe("http://[::]:80");
    expect(loadEnv({ ...SECRETS, HOST: "0.0.0.0", PORT: "8080" }).NEXTAUTH_URL).toBe(
      "http://0.0.0.0:8080",
    );
  });

  const WRONG: Record<string, string[]> = {
    PORT: ["abc", "-1", "65536", "3000.5", "1e3", " 80", "0x50"],
    DATABASE_URL: [
      "mysql://u@db/ante",
      "db.example",
      "postgres",
      "postgres://u@a,b/ante?target_session_attrs=any",
    ],
    DATABASE_POOLER: ["session", "statement", "1"],
    VENUES: ["kalshi", "paper,kalshi", "paper,", "Paper"],
    CLOB_API_URL: ["nonsense", "http://example.com", "ftp://127.0.0.1", "file:///etc/passwd"],
    GAMMA_API_URL: ["nonsense", "http://127.0.0.1.example.com", "javascript:alert(1)"],
    DATA_API_URL: ["nonsense", "http://192.168.0.1", "//data.example"],
    RELAYER_API_URL: ["nonsense", "http://relayer.example"],
    POLYGON_RPC_URL: ["nonsense", "http://10.0.0.1:8545"],
    BUILDER_API_KEY: ["k".repeat(513), "alone"],
    BUILDER_SECRET: ["short", "no base64 at all!"],
    BUILDER_PASSPHRASE: ["p".repeat(513)],
    POLYGON_CHAIN_ID: ["1", "polygon"],
    BUILDER_CODE: ["0x12", `0x${"0".repeat(64)}`, "ab".repeat(32), `0x${"zz".repeat(32)}`],
    KEY_ENCRYPTION_KEYS: ["k1", "k1:c2hvcnQ=", `${KEK},`, `k 1:${KEK.slice(3)}`, KEK.slice(3)],
    KEY_PROVIDER: ["vault", "AWS-KMS"],
    AWS_KMS_KEY_ID: ["alias/ante,", "two words", "alias/a.b"],
    AWS_KMS_ENDPOINT: ["http://kms.example", "kms", "http://10.0.0.1:4566"],
    ALLOW_EMBEDDED_DB_FOR_LIVE: ["yes", "true"],
    WEBHOOK_ALLOW_PRIVATE: ["yes", "2"],
    REQUIRE_SECOND_FACTOR: ["yes", "2"],
    API_KEY_PEPPER: ["p".repeat(31)],
    NEXTAUTH_SECRET: ["n".repeat(31)],
    CRON_SECRET: ["c".repeat(31)],
    NEXTAUTH_URL: ["nonsense", "127.0.0.1:3000/", "ftp://a", "javascript:alert(1)", "http://a/b?c"],
    HOST: ["999.1.1.1", "a host"],
    TRUSTED_PROXIES: ["-1", "nginx"],
    MARKET_DATA: ["live", "SIMULATED", "Polymarket"],
    PAPER_SEED: ["s".repeat(65)],
    SANDBOX_RULES: ["Strict", "on"],
    SANDBOX_RELAYER_MS: ["-1", "2s"],
    SANDBOX_RELAYER_QUOTA: ["-1", "none"],
    SANDBOX_BUILDER_KEY: ["key", "key:secret", "key:short:pass", "key:c2Vjb25kIHNlY3JldA==:"],
    PAPER_CLOCK: ["yesterday", "2026-11-21", "1795262400000", "2026-11-21T12:00:00"],
    SUBMIT_ATTEMPT_TIMEOUT_MS: ["0", "-5", "soon"],
    SUBMIT_BUDGET_MS: ["0", "15s"],
    IN_PROGRESS_WAIT_MS: ["0", "1.5"],
    RECONCILE_TICK_MS: ["9", "often"],
    ABANDON_AFTER_MS: ["0", "9999999999"],
    RATE_LIMIT_READS_PER_S: ["-1", "many"],
    RATE_LIMIT_WRITES_PER_S: ["-1", "many"],
    RATE_LIMIT_STATUS: ["500", "200"],
    DEFAULT_LIMITS: ["100", "{perDay", "null"],
    LOG_LEVEL: ["verbose", "INFO"],
  };

  const CASES = Object.entries(WRONG).flatMap(([name, texts]) =>
    texts.map((text): [string, string] => [name, text]),
  );

  it.each(CASES)("%s=%j is rejected by name", (name, text) => {
    const problems = listProblems({ ...SECRETS, [name]: text });
    expect(problems).toMatch(/^environment is not valid:\n/);
    expect(problems).toMatch(new RegExp(`^ {2}${name}\\b.*: .+`, "m"));
  });

  it("every validated variable has a case here", () => {
    expect(Object.keys(WRONG).toSorted()).toEqual(
      ENV_NAMES.filter((name) => name !== "DATA_DIR").toSorted(),
    );
  });

  it("all invalid variables are named together", () => {
    const problems = listProblems({ ...SECRETS, PORT: "x", LOG_LEVEL: "x", MARKET_DATA: "x" });
    for (const name of ["PORT", "LOG_LEVEL", "MARKET_DATA"]) expect(problems).toContain(name);
  });

  it("an invalid secret does not appear in the message", () => {
    for (const name of SECRET_NAMES) {
      const problems = listProblems({ ...SECRETS, [name]: "hunter2-hunter2" });
      expect(problems).toContain(name);
      expect(problems).not.toContain("hunter2");
    }
    expect(listProblems({ ...SECRETS, DATABASE_URL: "mysql://u:hunter2@db" })).not.toContain(
      "hunter2",
    );
  });
});

describe("secrets with the embedded database", () => {
  it("are generated on the first start, in a directory and file for the owner only", () => {
    const directory = newDirectory();
    const env = loadEnv({ DATA_DIR: directory });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const files = readdirSync(directory);
    expect(files).toHaveLength(1);
    for (const file of files) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    expect(env.API_KEY_PEPPER.length).toBeGreaterThanOrEqual(32);
    const [, key = ""] = env.KEY_ENCRYPTION_KEYS.split(":");
    expect(Buffer.from(key, "base64")).toHaveLength(32);
    expect(new Set(SECRET_NAMES.map((name) => Reflect.get(env, name))).size).toBe(4);
  });

  it("stay the same afterwards and differ between directories", () => {
    const source = { DATA_DIR: newDirectory() };
    const first = loadEnv(source);
    expect(loadEnv(source)).toEqual(first);
    const other = loadEnv({ DATA_DIR: newDirectory() });
    for (const name of SECRET_NAMES) {
      expect(Reflect.get(other, name)).not.toBe(Reflect.get(first, name));
    }
  });

  it("are generated only where none are given", () => {
    const source = { DATA_DIR: newDirectory(), API_KEY_PEPPER: SECRETS.API_KEY_PEPPER };
    const env = loadEnv(source);
    expect(env.API_KEY_PEPPER).toBe(SECRETS.API_KEY_PEPPER);
    expect(loadEnv(source).CRON_SECRET).toBe(env.CRON_SECRET);
  });

  it("do not touch the data directory if all are given", () => {
    const directory = newDirectory();
    loadEnv({ ...SECRETS, DATA_DIR: directory });
    expect(existsSync(directory)).toBe(false);
  });

  it("restrict a data directory that others could read", () => {
    const directory = newDirectory();
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    loadEnv({ DATA_DIR: directory });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it("are generated again after a kill between the file's creation and its write", () => {
    const directory = newDirectory();
    const [file = ""] = (loadEnv({ DATA_DIR: directory }), readdirSync(directory));
    writeFileSync(join(directory, file), "");
    const env = loadEnv({ DATA_DIR: directory });
    expect(env.API_KEY_PEPPER.length).toBeGreaterThanOrEqual(32);
    expect(loadEnv({ DATA_DIR: directory })).toEqual(env);
  });
});

describe("secrets with a Postgres server", () => {
  it("are required by name and never generated", () => {
    const directory = newDirectory();
    const problems = listProblems({ ...SERVER, DATA_DIR: directory });
    for (const name of SECRET_NAMES) expect(problems).toContain(`  ${name}: `);
    expect(existsSync(directory)).toBe(false);
  });

  it("are accepted if all are given", () => {
    expect(loadEnv({ ...SERVER, ...SECRETS }).DATABASE_URL).toBe(SERVER.DATABASE_URL);
  });
});

describe("secrets from files", () => {
  it.each(SECRET_NAMES)("%s_FILE sets %s without the trailing line break", (name) => {
    const { [name]: _left, ...others } = SECRETS as Record<string, string>;
    const value = Reflect.get(SECRETS, name) as string;
    const source = { ...SERVER, ...others, [`${name}_FILE`]: fileWith(`${value}\n`) };
    expect(loadEnv(source)).toMatchObject({ [name]: value });
  });

  it.each(SECRET_NAMES)("%s and %s_FILE together are rejected by name", (name) => {
    const source = { ...SECRETS, [`${name}_FILE`]: fileWith("x".repeat(40)) };
    expect(listProblems(source)).toMatch(new RegExp(`^environment is not valid:\n {2}${name}: `));
  });

  it("a file with a secret that is too short is rejected by name", () => {
    const { CRON_SECRET: _left, ...others } = SECRETS;
    const problems = listProblems({ ...others, ...SERVER, CRON_SECRET_FILE: fileWith("short\n") });
    expect(problems).toContain("CRON_SECRET");
    expect(problems).not.toContain("short\n");
  });

  it("a missing file is rejected by name", () => {
    const { CRON_SECRET: _left, ...others } = SECRETS;
    const source = { ...others, ...SERVER, CRON_SECRET_FILE: newDirectory() };
    expect(listProblems(source)).toMatch(/^environment is not valid:\n {2}CRON_SECRET_FILE: /);
  });
});

describe(".env.example", () => {
  it.skipIf(!existsSync(".env.example"))(
    "lists the variables that the service reads, and no others (skipped while there is none)",
    () => {
      const lines = readFileSync(".env.example", "utf8").split("\n");
      const listed = lines.flatMap((line) => /^#?\s*([A-Z][A-Z0-9_]+)=/.exec(line)?.[1] ?? []);
      const known = new Set(listed.map((name) => name.replace(/_FILE$/, "")));
      expect([...known].toSorted()).toEqual([...ENV_NAMES].toSorted());
    },
  );
});
