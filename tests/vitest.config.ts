import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { hasPgbouncer } from "./support/database/pgbouncer.mjs";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const resolve = {
  alias: {
    "@": path(".."),
    // The sources of our packages, so that no test depends on a build of them.
    "@ante/client/node": path("../packages/client/src/node.ts"),
    "@ante/client": path("../packages/client/src/index.ts"),
    "@ante/mcp/stdio": path("../packages/mcp/src/stdio.ts"),
    "@ante/mcp": path("../packages/mcp/src/index.ts"),
    // Next's guard against client imports throws outside Next.
    "server-only": path("support/empty.ts"),
  },
};

/** Fixed secrets, no rate limits and no log, regardless of the machine's environment. */
const environment = {
  DATA_DIR: "/nonexistent/ante-tests-write-nothing",
  KEY_ENCRYPTION_KEYS: "test:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  API_KEY_PEPPER: "pepper-of-the-tests-with-32-characters",
  NEXTAUTH_SECRET: "session-secret-of-the-tests-32-characters",
  CRON_SECRET: "cron-secret-of-the-tests-with-32-characters",
  NEXTAUTH_URL: "http://127.0.0.1:3000",
  RATE_LIMIT_READS_PER_S: "0",
  RATE_LIMIT_WRITES_PER_S: "0",
  LOG_LEVEL: "silent",
  PAPER_SEED: "tests",
};

/** Enough time for a busy machine. Tests of speed check it themselves. */
const common = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // As long as a wait in the browser. By default, a poll gives up after one second.
  expect: { poll: { timeout: 90_000 } },
  env: environment,
};

/**
 * Threads start faster than processes and share the compiled embedded database. A thread runs several
 * files; `setup-clean-slate` resets its state before each.
 */
const inThreads = {
  pool: "threads" as const,
  isolate: false,
  setupFiles: [path("support/setup-clean-slate.ts")],
};

const DATABASE_TESTS = [
  "tests/api/**/*.test.ts",
  "tests/db/**/*.test.ts",
  "tests/contract/**/*.test.ts",
];

/**
 * The database can matter to these: locking, SQL, migrations. They run embedded as well. The product
 * tests start the built service on the embedded database, too.
 */
const ALSO_EMBEDDED = [
  "tests/api/{cancel-order,cancel-orders,idempotency,kept-replies}.test.ts",
  "tests/api/{list-open-orders,list-orders,ops,place-order,redeem-position}.test.ts",
  "tests/contract/paper.test.ts",
  "tests/db/{account-*,books-checkpoint,browse-markets,callers,check-database,confirm-password,dashboard-orders}.test.ts",
  "tests/db/{database-time,demo-account,deposit-once,equity-curve,exchange-*,ledger,live-wallet,market-fills}.test.ts",
  "tests/db/{market-turns,migrate,paper-seed,pipeline,prepared,push,query-errors}.test.ts",
  "tests/db/{replace-order,request-log,sandbox-data,statement,submit-together,trade-tape,verify-books}.test.ts",
  "tests/db/{watchlist,webhook-*}.test.ts",
];

/** The slowest files, slowest first. All others take a few seconds. */
const LONG = [
  /tests\/property\/order-truth/,
  /tests\/(browser|product)\//,
  /tests\/db\/live-order-(matrix|truth)\.test\.ts$/,
  /tests\/contract\/live/,
  /tests\/(db\/sandbox-streams|api\/idempotency)\.test\.ts$/,
];

/** Starts slow files first, so that no core is idle at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const findRank = ({ moduleId }: TestSpecification) => {
      const rank = LONG.findIndex((pattern) => pattern.test(moduleId));
      return rank < 0 ? LONG.length : rank;
    };
    return files.toSorted((a, b) => findRank(a) - findRank(b));
  }
}

/** These run through PgBouncer as well: the interface, the venues' contract, and locks and transactions. */
const ALSO_POOLED = [
  "tests/{api,contract}/**/*.test.ts",
  "tests/db/{callers,check-database,exchange-waiting,freeze,ledger,live-order-*}.test.ts",
  "tests/db/{market-turns,migrate,pipeline,sandbox-streams,submit-together}.test.ts",
];

/**
 * These run at `serializable` as well, and 5 % of their transactions fail as a distributed database may fail
 * them at any time: what competes for keys, money, shares and limits.
 */
const ALSO_SERIALIZABLE = [
  "tests/api/{cancel-order,cancel-orders,idempotency,limits,place-order,redeem-position}.test.ts",
  "tests/db/{exchange-concurrency,freeze,ledger,live-order-life,replace-order,webhook-delivery}.test.ts",
];

const FILES = {
  embedded: ALSO_EMBEDDED,
  postgres: DATABASE_TESTS,
  pooler: ALSO_POOLED,
  serializable: ALSO_SERIALIZABLE,
} as const;

/** The pooler is in front of a Postgres server. */
const DATABASES = {
  embedded: { TEST_DATABASE: "embedded" },
  postgres: { TEST_DATABASE: "postgres" },
  pooler: { TEST_DATABASE: "postgres", DATABASE_POOLER: "transaction" },
  serializable: { TEST_DATABASE: "postgres", TEST_ISOLATION: "serializable" },
} as const;

/** What starts the database of a project. */
const SETUPS = {
  embedded: path("support/database/setup-embedded.ts"),
  postgres: path("support/database/setup-postgres.ts"),
  pooler: path("support/database/setup-pooler.ts"),
  serializable: path("support/database/setup-postgres.ts"),
} as const;

const onDatabase = (kind: keyof typeof FILES) => ({
  resolve,
  test: {
    ...common,
    ...inThreads,
    name: kind,
    include: [...FILES[kind]],
    globalSetup: [SETUPS[kind]],
    env: { ...environment, ...DATABASES[kind] },
  },
});

export default defineConfig({
  test: {
    // A product test is a test, a server and often a browser, which mostly wait for each other. Two at a
    // time left a third of two cores idle. Each has its own servers, ports and folders.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        test: {
          ...common,
          ...inThreads,
          name: "pure",
          include: ["tests/{unit,property,architecture}/**/*.test.ts"],
        },
      },
      onDatabase("embedded"),
      onDatabase("postgres"),
      onDatabase("serializable"),
      ...(hasPgbouncer() ? [onDatabase("pooler")] : []),
      {
        resolve,
        test: {
          ...common,
          // A process per file, so that everything a test leaves behind ends with it.
          pool: "forks",
          name: "product",
          include: ["tests/{product,browser}/**/*.test.ts"],
          globalSetup: [path("support/product/setup.ts")],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
