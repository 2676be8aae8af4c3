// `npm run verify`: what a change must pass. Format, lint, types, dead code, then every test.
import { install } from "./prepare.mjs";
import { bin, fail, requireNode, ROOT, run, say } from "./project.mjs";

requireNode();
process.chdir(ROOT);
await install({ withTools: true });

const STEPS = [
  ["format", bin("prettier"), ["--check", "."]],
  ["lint", bin("oxlint"), ["--config", "tests/oxlint.json", "--deny-warnings", "."]],
  ["route types", bin("next"), ["typegen"]],
  ["types", bin("tsc"), ["--noEmit"]],
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
