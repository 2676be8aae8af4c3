// Bundles TypeScript entries for plain Node into dist/. Dependencies stay outside the bundles.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Route files of the interface and of the sandbox; those for signed-in browsers stay with Next. */
const LANE_FILE = /^(?!(auth|ui)\/)(.*\/)?route\.ts$/;
const SANDBOX_FILE = /^sandbox\//;

/** `ante:routes` is the list of all route files, so that there is no second list of routes. */
const routesPlugin = (root) => ({
  name: "ante-routes",
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^ante:routes$/ }, () => ({
      path: "routes",
      namespace: "ante",
    }));
    pluginBuild.onLoad({ filter: /.*/, namespace: "ante" }, async () => {
      const entries = await readdir(join(root, "app/api"), { recursive: true });
      const files = entries.filter((entry) => LANE_FILE.test(entry)).toSorted();
      const imports = files.map((file, index) => `import * as m${index} from "@/app/api/${file}";`);
      const operations = files.flatMap((file, index) =>
        SANDBOX_FILE.test(file) ? [] : [`m${index}`],
      );
      const sandbox = files.flatMap((file, index) => {
        const folder = JSON.stringify(file.slice(0, -"/route.ts".length));
        return SANDBOX_FILE.test(file) ? [`{ folder: ${folder}, module: m${index} }`] : [];
      });
      const contents = `${imports.join("\n")}
        export const ROUTE_MODULES = [${operations.join(", ")}];
        export const SANDBOX_FILES = [${sandbox.join(", ")}];`;
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
    alias: { "@": root, "server-only": join(root, "lib/cli/empty.mjs") },
    plugins: [routesPlugin(root)],
    logLevel: "warning",
  });
}
