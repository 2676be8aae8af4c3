// `npm run docs`: generates documents from the code.
import { writeFileSync } from "node:fs";
import { bundleEntry, install } from "./prepare.mjs";
import { requireNode, ROOT, say } from "./project.mjs";

requireNode();
process.chdir(ROOT);
await install({ withTools: true });
await bundleEntry("docs", "lib/cli/render-configuration.ts");
const { renderConfiguration } = await import("../../dist/docs.mjs");
writeFileSync("docs/configuration.md", renderConfiguration());
say("Wrote docs/configuration.md.");
