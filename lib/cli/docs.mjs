// `npm run docs`: generates documents from the code.
import { writeFileSync } from "node:fs";
import { bundleEntry, install } from "./prepare.mjs";
import { requireNode, ROOT, say } from "./project.mjs";

requireNode();
process.chdir(ROOT);
await install({ withTools: true });
await bundleEntry("docs", "lib/cli/render-documents.ts");
const { renderClientTypes, renderConfiguration } = await import("../../dist/docs.mjs");
const DOCUMENTS = {
  "docs/configuration.md": renderConfiguration(),
  "packages/client/src/generated.ts": await renderClientTypes(),
};
for (const [path, text] of Object.entries(DOCUMENTS)) {
  writeFileSync(path, text);
  say(`Wrote ${path}.`);
}
