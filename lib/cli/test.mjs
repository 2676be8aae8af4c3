// `npm test`: installs what is missing, runs every test, and ends with one plain line of counts.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "./chromium.mjs";
import { install } from "./prepare.mjs";
import { requireNode, ROOT, run, say } from "./project.mjs";

requireNode();
process.chdir(ROOT);
await install({ withTools: true });
process.env.CHROMIUM_PATH = await findChromium();

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
  await run(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), ...args]);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
process.stdout.write(`${closingLine()}\n`);
rmSync(folder, { recursive: true, force: true });

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
