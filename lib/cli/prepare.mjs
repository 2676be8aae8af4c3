// Prepares the checkout to run: installs dependencies, then builds.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bin, computeDigest, onceFor, ROOT, run, step } from "./project.mjs";

const INSTALL_STAMP = "node_modules/.ante-install";
const BUILD_STAMP = "dist/.ante-build";
const SOURCE_MAP = /\.[cm]?(js|ts|css)\.map$/;
/** The service's sources. `npm pack` writes beside the `src` of a package, which must not count as a change. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "packages/client/src",
  "packages/mcp/src",
  "public",
  "instrumentation-client.ts",
  "instrumentation.ts",
  "next.config.ts",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.ts",
  "server.mjs",
  "tsconfig.json",
];

/** Installs the lockfile's packages unless they are installed. `withTools` includes dev dependencies. */
export async function install({ withTools }) {
  const digest = computeDigest(["package-lock.json"]);
  if (!withTools && isInstalled(`${digest} all`)) return;
  await onceFor(INSTALL_STAMP, `${digest} ${withTools ? "all" : "service"}`, () => {
    const omit = withTools ? [] : ["--omit=dev"];
    // No dependency needs its install script, because binaries are part of the packages.
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    return step("Installing dependencies (about half a minute)", async () => {
      await run("npm", ["ci", ...flags, ...omit], { quiet: true });
      removeSourceMaps();
    });
  });
}

/** Builds the pages and the server bundle unless the sources are unchanged since the last build. */
export async function build() {
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  await onceFor(BUILD_STAMP, computeDigest(SOURCES), () =>
    step("Building (about half a minute)", async () => {
      await bundleEntry("server", "lib/server/serve.ts");
      await run(process.execPath, [bin("next"), "build"], { quiet: true });
    }),
  );
}

/** Bundles one entry that runs on plain Node. */
export async function bundleEntry(name, source) {
  const { bundle } = await import("./bundle.mjs");
  await bundle(ROOT, { [name]: source });
}

/** Removes the source maps of packages, which are a quarter of the installed size. */
function removeSourceMaps() {
  const folder = join(ROOT, "node_modules");
  for (const path of readdirSync(folder, { recursive: true })) {
    if (SOURCE_MAP.test(path)) rmSync(join(folder, path), { force: true, recursive: true });
  }
}

function isInstalled(stamp) {
  const path = join(ROOT, INSTALL_STAMP);
  return existsSync(path) && readFileSync(path, "utf8") === stamp;
}
