// `npm run admin -- <verb>`: administers the database of the environment.
import "./environment.mjs";
import { bundleEntry, install } from "./prepare.mjs";
import { computeDigest, onceFor, ROOT } from "./project.mjs";

process.chdir(ROOT);
await install({ withTools: false });
await onceFor("dist/.ante-admin", computeDigest(["lib", "app", "package-lock.json"]), () =>
  bundleEntry("admin", "lib/cli/admin-verbs.ts"),
);
const { runVerb } = await import("../../dist/admin.mjs");
process.exitCode = await runVerb(process.argv.slice(2));
