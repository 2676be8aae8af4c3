import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { isHealthy, readDemo, ROOT, send, until } from "@/tests/support/product/product";
import { freePort } from "@/tests/support/database/postgres.mjs";

const children: ChildProcess[] = [];
const project = mkdtempSync(join(tmpdir(), "ante-env-file-"));
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(project, { recursive: true, force: true });
});

/** A copy of the built project, so that its `.env` is not the developer's. */
function copyProject(): void {
  const isNeeded = (path: string) => !path.includes("/.next/cache") && !path.includes("/.next/dev");
  const how = { recursive: true, verbatimSymlinks: true, filter: isNeeded };
  for (const name of ["app", "dist", "lib", ".next", "public"]) {
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(project, name), how);
  }
  for (const name of ["server.mjs", "next.config.ts", "package.json", "package-lock.json"]) {
    cpSync(join(ROOT, name), join(project, name));
  }
  // Links in a separate folder: if the copy installs anything, it removes only the links.
  const modules = join(project, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  const lockfile = join(project, "package-lock.json");
  const digest = createHash("sha256").update(`${lockfile}\0`).update(readFileSync(lockfile));
  writeFileSync(join(modules, ".ante-install"), `${digest.update("\0").digest("hex")} all`);
}

/** Runs a command whose environment has only `given`; everything else comes from the file. */
function run(args: readonly string[], given: Record<string, string> = {}) {
  const { PATH = "", HOME = "" } = process.env;
  const env: NodeJS.ProcessEnv = { PATH, HOME, NODE_ENV: "production", ...given };
  const child = spawn(process.execPath, args, { cwd: project, env });
  children.push(child);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (output.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (output.stderr += String(chunk)));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...output }));
  return { child, ended };
}

async function whileServing<T>(
  port: number,
  given: Record<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  const server = run(["server.mjs"], given);
  await until("the server is ready", () => isHealthy(port));
  const result = await work();
  server.child.kill("SIGTERM");
  expect(await server.ended).toMatchObject({ code: 0 });
  return result;
}

it("pages, the API and the admin verbs read .env and no other file, and a set variable wins", async () => {
  copyProject();
  const port = await freePort();
  const dataDir = join(project, "of-the-file");
  const file = [
    `PORT=${port}`,
    "DATA_DIR=of-the-file # in the project",
    "API_KEY_PEPPER='the pepper of the file, long enough'",
    "RATE_LIMIT_READS_PER_S=37",
    "PAPER_SEED=of-the-file",
  ];
  writeFileSync(join(project, ".env"), file.join("\n"));
  for (const [name, reads] of [
    [".env.local", "41"],
    [".env.production", "43"],
  ] as const) {
    writeFileSync(join(project, name), `RATE_LIMIT_READS_PER_S=${reads}\nAPI_KEY_PEPPER=${name}\n`);
  }
  const readKey = (key: string) => send(port, { method: "GET", path: "/v1/key", key });

  await whileServing(port, {}, async () => {
    const page = await send(port, { method: "GET", path: "/docs" });
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/\b37\b/);
    expect(page.text).not.toMatch(/\b4[13] a second/);
    expect((await readKey(readDemo(dataDir).apiKey)).status).toBe(200);
  });

  const { userId } = readDemo(dataDir);
  const verb = ["lib/cli/admin.mjs", "keys:create", "--user", userId, "--name", "of an admin"];
  const made = await run([...verb, "--scopes", "read", "--json"]).ended;
  expect(made.code, made.stderr).toBe(0);
  for (const name of [".env.local", ".env.production"]) {
    expect(made.stderr).toContain(`${name} is not read`);
  }
  const { apiKey } = JSON.parse(made.stdout) as { apiKey: string };
  await whileServing(port, {}, async () => {
    expect((await readKey(apiKey)).status).toBe(200);
  });

  await whileServing(port, { API_KEY_PEPPER: "the pepper of the one who starts it" }, async () => {
    expect((await readKey(apiKey)).status).toBe(401);
  });
});
