// `npm run admin -- <verb>`: administration of the database that the environment names.
import { bundleServer, install } from "./prepare.mjs";
import { digestOf, onceFor, requireNode, ROOT } from "./project.mjs";

requireNode();
process.chdir(ROOT);
await install({ withTools: false });
await onceFor("dist/.ante-admin", digestOf(["lib", "app", "package-lock.json"]), bundleServer);
const { runVerb } = await import("../../dist/admin.mjs");
process.exitCode = await runVerb(process.argv.slice(2));
