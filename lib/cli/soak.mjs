// `npm run soak -- --minutes 30 --rate 30`: mixed load with faults on the built product. See docs/testing.md.
import "./environment.mjs";
import { build, install } from "./prepare.mjs";
import { fail, ROOT, run } from "./project.mjs";

process.chdir(ROOT);
try {
  await install({ withTools: true });
  await build();
  const { bundle } = await import("./bundle.mjs");
  await bundle(ROOT, { "soak/main": "tests/soak/main.ts" });
  await run(process.execPath, ["dist/soak/main.mjs", ...process.argv.slice(2)]);
} catch (error) {
  fail(error.message);
}
