// `npm run admin -- <verb>`: administration of the database that the environment names.
import { bundleEntry, install } from "./prepare.mjs";
import { digestOf, onceFor, requireNode, ROOT } from "./project.mjs";

requireNode();
process.chdir(ROOT);
await install({ withTools: false });
await onceFor("dist/.ante-admin", digestOf(["lib", "app", "package-lock.json"]), () =>
  bundleEntry("admin", "lib/cli/admin-verbs.ts"),
);
const { runVerb } = await import("../../dist/admin.mjs");
process.exitCode = await runVerb(process.argv.slice(2));
