import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const resolve = {
  alias: {
    "@": path(".."),
    // Next's guard against client imports throws outside Next.
    "server-only": path("support/empty.ts"),
  },
};

/** Fixed secrets, no limits and no log, whatever the machine's environment says. */
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
  PAPER_SEED: "1",
};

/** Time for a busy machine: what must be quick says so itself. */
const common = { testTimeout: 120_000, hookTimeout: 120_000, env: environment };

/**
 * Threads start in less than processes, and share what V8 makes of the embedded database. A thread
 * takes file after file, each from a clean slate.
 */
const inThreads = {
  pool: "threads" as const,
  isolate: false,
  setupFiles: [path("support/setup-clean-slate.ts")],
};

/**
 * Tests of live orders talk HTTP to a venue and take their time. They run on a real server, which
 * live trading needs; the simulation of order truth takes the same services over the embedded one.
 */
const LIVE = ["tests/db/live-order-*.test.ts", "tests/contract/live*.test.ts"];

/** What takes longest, the longest first; everything else is over in a few seconds. */
const LONG = [
  /tests\/property\/order-truth/,
  /tests\/(browser|product)\//,
  /tests\/db\/live-order-(matrix|truth)\.test\.ts$/,
  /tests\/contract\/live/,
  /tests\/(db\/sandbox-streams|api\/idempotency)\.test\.ts$/,
];

/** Long files come first, so that at the end no core waits for another one's. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONG.findIndex((pattern) => pattern.test(moduleId));
      return rank < 0 ? LONG.length : rank;
    };
    return files.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

/** What touches the database runs on both: the same tests, embedded and on a real server. */
const onDatabase = (kind: "embedded" | "postgres") => ({
  resolve,
  test: {
    ...common,
    ...inThreads,
    name: kind,
    include: ["tests/api/**/*.test.ts", "tests/db/**/*.test.ts", "tests/contract/**/*.test.ts"],
    exclude: kind === "embedded" ? LIVE : [],
    globalSetup: [path(`support/setup-${kind}.ts`)],
    env: { ...environment, TEST_DATABASE: kind },
  },
});

export default defineConfig({
  test: {
    // A product test is a test, a server and often a browser, which mostly wait for each other: two
    // at a time fill two cores. Each has servers, ports and folders of its own.
    maxWorkers: 2,
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
      {
        resolve,
        test: {
          ...common,
          // A process each: what a test leaves behind ends with it.
          pool: "forks",
          name: "product",
          include: ["tests/{product,browser}/**/*.test.ts"],
          globalSetup: [path("support/setup-product.ts")],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
