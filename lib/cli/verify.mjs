// `npm run verify`: runs every check that a change must pass.
import { install } from "./prepare.mjs";
import { bin, fail, requireNode, ROOT, run, say } from "./project.mjs";

requireNode();
process.chdir(ROOT);
await install({ withTools: true });

const STEPS = [
  ["format", bin("prettier"), ["--check", "."]],
  ["lint", "npm", ["run", "lint"]],
  ["types", "npm", ["run", "typecheck"]],
  ["dead code", bin("knip"), ["--config", "tests/knip.json"]],
  ["supply chain", process.execPath, ["lib/cli/supply-chain.mjs"]],
  ["tests", process.execPath, ["lib/cli/test.mjs"]],
];

for (const [name, command, args] of STEPS) {
  say(`verify: ${name}`);
  try {
    await run(command, args);
  } catch (error) {
    fail(`verify: ${name} failed (${error.message})`);
  }
}
