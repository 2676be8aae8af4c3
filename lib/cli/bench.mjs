// `npm run bench`: builds what is measured and what measures, then measures. See README "Performance".
import { build, install } from "./prepare.mjs";
import { fail, requireNode, ROOT, run } from "./project.mjs";

requireNode();
process.chdir(ROOT);
try {
  await install({ withTools: true });
  await build();
  const { bundle } = await import("./bundle.mjs");
  await bundle(ROOT, {
    "bench/main": "tests/bench/main.ts",
    "bench/worker": "tests/bench/load/worker.ts",
  });
  await run(process.execPath, ["dist/bench/main.mjs", ...process.argv.slice(2)]);
} catch (error) {
  fail(error.message);
}
