import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

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

const common = { testTimeout: 30_000, hookTimeout: 60_000, env: environment };

/**
 * Tests of live orders talk HTTP to a venue and take their time. They run on a real server, which
 * live trading needs; the simulation of order truth takes the same services over the embedded one.
 */
const LIVE = ["tests/db/live-order-*.test.ts", "tests/contract/live.test.ts"];

/** What touches the database runs on both: the same tests, embedded and on a real server. */
const onDatabase = (kind: "embedded" | "postgres") => ({
  resolve,
  test: {
    ...common,
    name: kind,
    include: ["tests/api/**/*.test.ts", "tests/db/**/*.test.ts", "tests/contract/**/*.test.ts"],
    exclude: kind === "embedded" ? LIVE : [],
    globalSetup: [path(`support/setup-${kind}.ts`)],
    env: { ...environment, TEST_DATABASE: kind },
  },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        resolve,
        test: {
          ...common,
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
          name: "product",
          include: ["tests/{product,browser}/**/*.test.ts"],
          globalSetup: [path("support/setup-product.ts")],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
