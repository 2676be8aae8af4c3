// `npm run simulate -- --runs N --seed S`: runs the seeded simulation of live orders.
import "./environment.mjs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install } from "./prepare.mjs";
import { ROOT } from "./project.mjs";

process.chdir(ROOT);
await install({ withTools: false });
const { bundle } = await import("./bundle.mjs");
await bundle(ROOT, { simulate: "tests/simulation/cli.ts" });
// For the generated secrets; the database is in memory.
process.env.DATA_DIR = mkdtempSync(join(tmpdir(), "ante-simulate-"));
delete process.env.DATABASE_URL;
try {
  const { runSimulations } = await import("../../dist/simulate.mjs");
  process.exitCode = await runSimulations(process.argv.slice(2));
} finally {
  rmSync(process.env.DATA_DIR, { recursive: true, force: true });
}
