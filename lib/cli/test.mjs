// `npm test`: installs what is missing, runs every test, and prints the failed tests and one line of counts
// at the end, because continuous integration keeps only the end of a long output.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { findChromium } from "./chromium.mjs";
import { installPgbouncer } from "./pgbouncer.mjs";
import { install } from "./prepare.mjs";
import { requireNode, ROOT, run, say } from "./project.mjs";

requireNode();
process.chdir(ROOT);
await install({ withTools: true });
// In parallel: one is a download, the other CPU work. Runs of single test files build on demand.
const [chromium] = await Promise.all([
  findChromium(),
  process.argv.length > 2 ? null : buildForProduction(),
]);
process.env.CHROMIUM_PATH = chromium;
// After Chromium: both use apt, which allows one installation at a time.
if (process.argv.length === 2) await installPgbouncer();

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
  // With glibc, each thread that opened a database would keep its own arena of freed memory.
  const env = { MALLOC_ARENA_MAX: "2" };
  await run(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), ...args], { env });
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
process.stdout.write(`${renderCounts()}\n`);
rmSync(folder, { recursive: true, force: true });

/** Builds in a separate process with NODE_ENV=production. */
function buildForProduction() {
  const prepare = pathToFileURL(join(ROOT, "lib/cli/prepare.mjs")).href;
  const code = `import(${JSON.stringify(prepare)}).then(({ build }) => build())`;
  return run(process.execPath, ["-e", code], { env: { NODE_ENV: "production" } });
}

/** Renders the failed tests by name, then the counts. A run without a report has failed. */
function renderCounts() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
      JSON.parse(readFileSync(report, "utf8"));
    if (numPassedTests + numFailedTests === 0) process.exitCode = 1;
    const skipped = numPendingTests + numTodoTests;
    return [
      ...testResults.flatMap(listFailures),
      `${numPassedTests} passed, ${numFailedTests} failed, ${skipped} skipped`,
    ].join("\n");
  } catch {
    process.exitCode = 1;
    return "0 passed, 1 failed, 0 skipped";
  }
}

/** Lists each failed test of a file with the first line of its error, or the file if none of its tests ran. */
function listFailures({ name, status, message, assertionResults }) {
  const file = relative(ROOT, name);
  const failed = assertionResults.filter((result) => result.status === "failed");
  const firstLine = (text) => (text ?? "").split("\n")[0];
  if (failed.length === 0 && status === "failed") return [`FAILED ${file}: ${firstLine(message)}`];
  return failed.map(
    (result) => `FAILED ${file} > ${result.fullName}: ${firstLine(result.failureMessages[0])}`,
  );
}
