import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  path: string;
  text: string;
  /** Modules it imports, `@/` paths without the prefix and with their ending. */
  imports: string[];
  /** Those of them that are there when the code runs: imports of types alone are not. */
  valueImports: string[];
}

const ROOTS = ["app", "bench", "components", "lib", "packages", "tests"];
const SINGLE = [
  "proxy.ts",
  "instrumentation.ts",
  "instrumentation-client.ts",
  "next.config.ts",
  "server.mjs",
];
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|(?:^|\n)import\s+"([^"]+)"|\bimport\("([^"]+)"\)/g;

const TYPE_IMPORT = /(?:^|\n)(?:import|export) type\s[^;]*;/g;

/** Every source file of the project, tests included. */
export const SOURCES: SourceFile[] = [...ROOTS.flatMap(walk), ...SINGLE]
  .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith(".d.ts"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }))
  .map(({ path, text }) => ({
    path,
    text,
    imports: listImports(text),
    valueImports: listImports(text.replaceAll(TYPE_IMPORT, "")),
  }));

const KNOWN = new Set(SOURCES.map((source) => source.path));

/** Files of `lib` and `app`, which the rules of the product are about. */
export const PRODUCT = SOURCES.filter(({ path }) => !/^(bench|packages|tests)\//.test(path));

/** Files of the packages for other programs, which know nothing of the service's code. */
export const PACKAGES = SOURCES.filter(({ path }) => path.startsWith("packages/"));

/** The project's own file that an import names, or null for a package. */
export function resolveImport(specifier: string): string | null {
  if (!specifier.startsWith("@/")) return null;
  const base = specifier.slice(2);
  const candidates = [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`];
  return candidates.find((candidate) => KNOWN.has(candidate)) ?? null;
}

function walk(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !/(^|[\\/])(dist|node_modules)[\\/]/.test(name))
      .map((name) => join(folder, name).replaceAll("\\", "/"));
  } catch {
    return [];
  }
}

function listImports(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
