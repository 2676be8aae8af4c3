// `npm run bench`: builds the service and the benchmark, then measures. See docs/benchmarks.md.
import "./environment.mjs";
import { build, install } from "./prepare.mjs";
import { fail, ROOT, run } from "./project.mjs";

process.chdir(ROOT);
try {
  await install({ withTools: true });
  await build();
  const { bundle } = await import("./bundle.mjs");
  await bundle(ROOT, {
    "bench/main": "bench/main.ts",
    "bench/worker": "bench/load/worker.ts",
    "bench/upstream": "bench/load/upstream.ts",
  });
  await run(process.execPath, ["dist/bench/main.mjs", ...process.argv.slice(2)]);
} catch (error) {
  fail(error.message);
}
