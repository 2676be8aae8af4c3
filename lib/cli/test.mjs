// `npm test`: installs what is missing, runs every test, and ends with one plain line of counts.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findChromium } from "./chromium.mjs";
import { install } from "./prepare.mjs";
import { requireNode, ROOT, run, say } from "./project.mjs";

requireNode();
process.chdir(ROOT);
await install({ withTools: true });
// Together: one is a download, the other work. Parts of the tests build only if they need it.
const [chromium] = await Promise.all([
  findChromium(),
  process.argv.length > 2 ? null : buildForProduction(),
]);
process.env.CHROMIUM_PATH = chromium;

const folder = mkdtempSync(join(tmpdir(), "ante-test-"));
const report = join(folder, "report.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
try {
  const args = [
    "run",
    "--config",
    "tests/vitest.config.ts",
    ...reporters,
    ...process.argv.slice(2),
  ];
  // Every thread that held a database would keep its share of memory for itself, with glibc.
  const env = { MALLOC_ARENA_MAX: "2" };
  await run(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), ...args], { env });
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
process.stdout.write(`${closingLine()}\n`);
rmSync(folder, { recursive: true, force: true });

/** In a process of its own, which has the environment of a production build. */
function buildForProduction() {
  const prepare = pathToFileURL(join(ROOT, "lib/cli/prepare.mjs")).href;
  const code = `import(${JSON.stringify(prepare)}).then(({ build }) => build())`;
  return run(process.execPath, ["-e", code], { env: { NODE_ENV: "production" } });
}

/** A run that broke before it could count has failed, and says so. */
function closingLine() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    if (numPassedTests + numFailedTests === 0) process.exitCode = 1;
    const skipped = numPendingTests + numTodoTests;
    return `${numPassedTests} passed, ${numFailedTests} failed, ${skipped} skipped`;
  } catch {
    process.exitCode = 1;
    return "0 passed, 1 failed, 0 skipped";
  }
}
