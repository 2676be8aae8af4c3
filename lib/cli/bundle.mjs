// Bundles TypeScript entries for plain Node into dist/, without dependencies.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Route files of the API. Next serves those for browsers; the sandbox and MCP have their own handlers. */
const ROUTE_FILE = /^(?!(auth|mcp|sandbox|ui)\/)(.*\/)?route\.ts$/;

/** Makes a plugin that generates `ante:routes` from the route files. */
const makeRoutesPlugin = (root) => ({
  name: "ante-routes",
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^ante:routes$/ }, () => ({
      path: "routes",
      namespace: "ante",
    }));
    pluginBuild.onLoad({ filter: /.*/, namespace: "ante" }, async () => {
      const entries = await readdir(join(root, "app/api"), { recursive: true });
      const files = entries.filter((entry) => ROUTE_FILE.test(entry)).toSorted();
      const imports = files.map((file, index) => `import * as m${index} from "@/app/api/${file}";`);
      const modules = files.map((_, index) => `m${index}`).join(", ");
      const contents = `${imports.join("\n")}\nexport const ROUTE_MODULES = [${modules}];`;
      return { contents, resolveDir: root };
    });
  },
});

/** Bundles `entries` (name to source file) into `dist/<name>.mjs`. */
export async function bundle(root, entries) {
  await build({
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([out, file]) => ({ in: file, out })),
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: true,
    alias: {
      "@": root,
      "@ante/client": join(root, "packages/client/src/index.ts"),
      "@ante/mcp": join(root, "packages/mcp/src/index.ts"),
      "server-only": join(root, "lib/cli/empty.mjs"),
    },
    plugins: [makeRoutesPlugin(root)],
    logLevel: "warning",
  });
}
