import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { PACKAGES, PRODUCT, resolveImport, SOURCES } from "@/tests/architecture/source";

const inside =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

const USE_CASES = [
  "lib/accounts",
  "lib/activity",
  "lib/auth",
  "lib/markets",
  "lib/notifications",
  "lib/ops",
  "lib/orders",
  "lib/portfolio",
  "lib/push",
  "lib/wallet-transactions",
];

const LEAVES = ["lib/units.ts", "lib/errors.ts", "lib/clock.ts", "lib/ids.ts"];

/** Files that also make sense in a browser, or outside Next: types, tables and pure functions. */
const BOTH_WORLDS = inside(
  ...LEAVES,
  "lib/schemas",
  "lib/domain",
  "lib/browser",
  "lib/auth/principal.ts",
  "lib/venue/port.ts",
  "lib/venue/trader.ts",
  "lib/venue/wallet-relay.ts",
  // drizzle-kit reads these with plain Node.
  "lib/db/schema",
  "lib/db/drizzle.config.ts",
  "lib/db/rows.ts",
);

/** Imports that break a rule, as readable lines. */
function violations(
  from: (path: string) => boolean,
  isAllowed: (target: string) => boolean,
): string[] {
  return PRODUCT.filter(({ path }) => from(path)).flatMap(({ path, imports }) =>
    imports
      .map((specifier) => resolveImport(specifier) ?? specifier)
      .filter((target) => !isAllowed(target))
      .map((target) => `${path} imports ${target}`),
  );
}

const ownTargets = (imports: readonly string[]): string[] =>
  imports.map(resolveImport).filter((target) => target !== null);

const isPackage = (target: string) => !/^(lib|app|components|tests)\//.test(target);

describe("the direction of dependencies", () => {
  it("lets the domain import only units, errors and itself", () => {
    expect(
      violations(inside("lib/domain"), inside("lib/domain", "lib/units.ts", "lib/errors.ts")),
    ).toEqual([]);
  });

  it("lets only the database, the ledger and the paper exchange know drizzle", () => {
    const mayKnow = inside("lib/db", "lib/ledger", "lib/exchange");
    const isDrizzle = (target: string) => /^drizzle-(orm|kit)/.test(target);
    expect(
      violations(
        (path) => !mayKnow(path),
        (target) => !isDrizzle(target),
      ),
    ).toEqual([]);
  });

  it("lets only custody open what is sealed, and only its signer use a key", () => {
    const isOpener = inside(
      "lib/custody/seal.ts",
      "lib/custody/live-secret.ts",
      "lib/custody/aes-gcm.ts",
      "lib/custody/environment-keys.ts",
      "lib/custody/aws-kms.ts",
    );
    expect(
      violations(
        (path) => !inside("lib/custody")(path),
        (target) => !isOpener(target),
      ),
    ).toEqual([]);
    const signs = PRODUCT.filter(({ text }) =>
      /\bsignTypedData\(|new Wallet\(|\.signingKey\b/.test(text),
    );
    expect(signs.map(({ path }) => path).toSorted()).toEqual([
      "lib/custody/signer.ts",
      "lib/polymarket/protocol/order-signature.ts",
      "lib/polymarket/protocol/relayer-signature.ts",
    ]);
  });

  it("lets use cases see the venue's port and its chooser, never an adapter", () => {
    const isAdapter = (target: string) =>
      inside("lib/exchange", "lib/polymarket")(target) &&
      !inside("lib/polymarket/protocol")(target);
    expect(violations(inside(...USE_CASES), (target) => !isAdapter(target))).toEqual([]);
  });

  it("lets the remote adapter talk and nothing else: it keeps no record of its own", () => {
    const mayKnow = inside(
      ...LEAVES,
      "lib/polymarket",
      "lib/venue/port.ts",
      "lib/venue/trader.ts",
      "lib/venue/wallet-relay.ts",
      "lib/domain",
      "lib/schemas",
      "lib/env.ts",
      "lib/expiring-cache.ts",
      "lib/stale-reads.ts",
    );
    const isAllowed = (target: string) => isPackage(target) || mayKnow(target);
    expect(violations(inside("lib/polymarket"), isAllowed)).toEqual([]);
  });

  it("lets no venue import a use case", () => {
    const isVenue = inside("lib/venue", "lib/exchange", "lib/polymarket");
    expect(violations(isVenue, (target) => !inside(...USE_CASES)(target))).toEqual([]);
  });

  it("lets route handlers reach Web standards only, never Next", () => {
    const isNext = (target: string) => target === "next" || target.startsWith("next/");
    expect(violations(inside("app/api", "lib"), (target) => !isNext(target))).toEqual([]);
  });

  it("lets components know components, the browser's side of lib and pure code, never a server", () => {
    const mayRun = inside("components", "lib/browser", "lib/domain", "lib/units.ts");
    const mayType = inside(
      "lib/schemas",
      "lib/venue/port.ts",
      "lib/venue/trader.ts",
      "lib/venue/wallet-relay.ts",
      "lib/errors.ts",
      "lib/auth/principal.ts",
    );
    const files = PRODUCT.filter(({ path }) => inside("components", "lib/browser")(path));
    expect(files.length).toBeGreaterThan(20);
    const found = files.flatMap(({ path, imports, valueImports }) => [
      ...ownTargets(imports)
        .filter((target) => !mayRun(target) && !mayType(target))
        .map((target) => `${path} imports ${target}`),
      ...ownTargets(valueImports)
        .filter((target) => mayType(target))
        .map((target) => `${path} runs ${target}`),
    ]);
    expect(found).toEqual([]);
  });

  it("has every page and every action of the dashboard ask for the session itself", () => {
    const inDashboard = PRODUCT.filter(({ path }) => path.startsWith("app/(dashboard)/"));
    const pages = inDashboard.filter(({ path }) => path.endsWith("/page.tsx"));
    expect(pages.length).toBeGreaterThan(0);
    const silentPages = pages.filter(({ text }) => !text.includes("await requireSession()"));
    const silentActions = inDashboard
      .filter(({ text }) => text.startsWith('"use server";'))
      .flatMap(({ path, text }) =>
        text
          .split(/(?=^export async function )/m)
          .filter((part) => part.startsWith("export async function "))
          .filter((part) => !/await requireSession(InPageMode)?\(/.test(part))
          .map((part) => `${path}: ${part.split("(")[0]}`),
      );
    expect(silentPages.map(({ path }) => path)).toEqual([]);
    expect(silentActions).toEqual([]);
  });

  it("keeps leaves free of everything of ours", () => {
    expect(violations(inside(...LEAVES), isPackage)).toEqual([]);
  });

  it("lets nothing under lib import app, and nothing import tests", () => {
    expect(violations(inside("lib"), (target) => !inside("app", "bench", "tests")(target))).toEqual(
      [],
    );
    expect(violations(inside("app"), (target) => !inside("bench", "tests")(target))).toEqual([]);
  });

  it("has every server module say so in its first import", () => {
    const silent = PRODUCT.filter(
      ({ path, text }) =>
        path.startsWith("lib/") &&
        path.endsWith(".ts") &&
        !BOTH_WORLDS(path) &&
        !/^(\/\*\*[\s\S]*?\*\/\s*)?import "server-only";/.test(text),
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it("imports its own files by @/ paths, not by relative ones", () => {
    // Programs of generated clients run in a folder of their own, beside their client. Packages are
    // published without the project around them.
    const own = SOURCES.filter(
      ({ path }) => !/^(packages|tests\/support\/generated-clients)\//.test(path),
    );
    const relative = own
      .filter(({ path }) => /\.tsx?$/.test(path))
      .flatMap(({ path, imports }) =>
        imports
          .filter((specifier) => /^\.\.?\//.test(specifier) && !/\.(css|mjs)$/.test(specifier))
          .map((specifier) => `${path}: ${specifier}`),
      );
    expect(relative).toEqual([]);
  });

  it("lets packages import their own files, their dependencies and Node, never the service", () => {
    expect(PACKAGES.length).toBeGreaterThan(10);
    const found = PACKAGES.flatMap(({ path, imports }) => {
      const { folder, dependencies } = readManifest(path);
      const isOwn = (name: string) =>
        name.startsWith(".") && join(dirname(path), name).startsWith(`${folder}/`);
      return imports
        .filter((name) => !isOwn(name) && !name.startsWith("node:"))
        .filter((name) => !dependencies.some((known) => `${name}/`.startsWith(`${known}/`)))
        .map((name) => `${path} imports ${name}`);
    });
    expect(found).toEqual([]);
  });

  it("lets the client use Node in one file only, so that it runs in browsers", () => {
    const found = PACKAGES.filter(
      ({ path, imports }) =>
        path.startsWith("packages/client/") && imports.some((name) => name.startsWith("node:")),
    );
    expect(found.map(({ path }) => path)).toEqual(["packages/client/src/node.ts"]);
  });

  it("has no import cycles between files", () => {
    expect(findCycle(readEdges((path) => path))).toEqual([]);
  });

  it("has no import cycles between folders", () => {
    // Files directly under lib stand for themselves: they share nothing but their place.
    const getFolder = (path: string) => (dirname(path) === "lib" ? path : dirname(path));
    expect(findCycle(readEdges(getFolder))).toEqual([]);
  });
});

/** The dependencies of the package that a file belongs to. */
function readManifest(path: string): { folder: string; dependencies: string[] } {
  const folder = path.split("/").slice(0, 2).join("/");
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as {
    dependencies?: Record<string, string>;
  };
  return { folder, dependencies: Object.keys(manifest.dependencies ?? {}) };
}

/** The imports of the product's files, file by file or folder by folder. */
function readEdges(toNode: (path: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of PRODUCT) {
    const targets = edges.get(toNode(path)) ?? new Set();
    for (const target of ownTargets(imports)) targets.add(toNode(target));
    edges.set(toNode(path), targets);
  }
  for (const [node, targets] of edges) targets.delete(node);
  return edges;
}

function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const state = new Map<string, "open" | "done">();
  const visit = (path: string, trail: string[]): string[] => {
    if (state.get(path) === "done") return [];
    if (state.get(path) === "open") return [...trail.slice(trail.indexOf(path)), path];
    state.set(path, "open");
    for (const target of edges.get(path) ?? []) {
      const cycle = visit(target, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    state.set(path, "done");
    return [];
  };
  for (const node of edges.keys()) {
    const cycle = visit(node, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
