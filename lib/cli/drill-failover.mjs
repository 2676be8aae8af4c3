// `npm run drill:failover`: kills a Postgres primary under load and promotes its standby. See docs/operations.md.
import "./environment.mjs";
import { install } from "./prepare.mjs";
import { bin, fail, ROOT, run } from "./project.mjs";

const TEST = "tests/product/failover.test.ts";

process.chdir(ROOT);
try {
  await install({ withTools: true });
  const env = { FAILOVER_ROUNDS: "5", FAILOVER_WITHIN_MS: "5000" };
  await run(bin("vitest"), ["run", "--config", "tests/vitest.config.ts", TEST], { env });
} catch (error) {
  fail(error.message);
}
