// Runs the commands from the documents. Only ports and folders differ.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { freePort } from "@/tests/support/database/postgres.mjs";
import {
  cleanUpAfterwards,
  freshDataDir,
  ROOT,
  startPrepared,
} from "@/tests/support/product/product";

cleanUpAfterwards();

const WITHIN_MS = 240_000;
const running = new Set<ChildProcess>();
afterAll(() => running.forEach(endGroup));

/** Finds the first code block of a language under a heading of a document. */
function findBlock(document: string, heading: string, language: string): string {
  const sections = readFileSync(join(ROOT, document), "utf8").split(/^## /m);
  const section = sections.find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const block = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(section)?.[1];
  if (block === undefined) throw new Error(`${document}: "${heading}" has no ${language} block`);
  return block;
}

function replaced(text: string, values: Record<string, string>): string {
  for (const name of Object.keys(values)) expect(text).toContain(name);
  return Object.entries(values).reduce((all, [name, value]) => all.replaceAll(name, value), text);
}

/** Runs a command in its own process group, which no longer exists when the command has ended. */
async function run(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, LOG_LEVEL: "warn", NODE_ENV: "production" as const };
  const child = spawn(command, args, { cwd, env, detached: true });
  running.add(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const timer = setTimeout(() => endGroup(child), WITHIN_MS);
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  clearTimeout(timer);
  endGroup(child);
  return { code, stdout, stderr };
}

function endGroup(child: ChildProcess): void {
  running.delete(child);
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}

it("the README's first trade buys once and lists the position", async () => {
  const product = await startPrepared();
  const steps = replaced(findBlock("README.md", "First trade", "sh"), {
    ":3000": `:${product.port}`,
    ".data/demo.json": join(product.dataDir, "demo.json"),
  });
  const { code, stdout, stderr } = await run("bash", ["-e", "-c", steps], ROOT);
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout).toMatch(/"idempotencyKey":"my-first","message":"Order filled/);
  expect(stdout).toMatch(/"positions":\[\{"id":"\d+"/);
  expect((await product.stop()).code).toBe(0);
});

it("the sandbox document's program trades as written", async () => {
  const product = await startPrepared();
  const folder = dirname(product.dataDir);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const snippet = replaced(findBlock("docs/sandbox.md", "Trade with the official client", "js"), {
    ":3000": `:${product.port}`,
  });
  writeFileSync(join(folder, "trade.mjs"), snippet);
  const { code, stdout, stderr } = await run(process.execPath, ["trade.mjs"], folder);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/success: true/);
  expect(stdout).toMatch(/status: '(matched|delayed)'/);
  expect((await product.stop()).code).toBe(0);
});

it(
  "the live trading document's trial places an order at a second Ante",
  { timeout: 2 * WITHIN_MS },
  async () => {
    const [venue, live] = [freshDataDir(), freshDataDir()];
    const [venuePort, livePort] = [await freePort(), await freePort()];
    const steps = replaced(findBlock("docs/live-trading.md", "Try it without money", "sh"), {
      "3001": String(venuePort),
      "3000": String(livePort),
      ".data-venue": venue,
      ".data-live": live,
    });
    const { code, stdout, stderr } = await run("bash", ["-e", "-m", "-c", steps], ROOT);
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    expect(stdout).toContain(`"balanceUsdc":10000`);
    expect(stdout).toMatch(/"ok":true,"data":\{"idempotencyKey":"auto_\w+"/);
    expect(stdout).toContain(`"status":"filled"`);
    for (const folder of [venue, live]) rmSync(folder, { recursive: true, force: true });
  },
);
