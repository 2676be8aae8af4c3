import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PRODUCT, SOURCES } from "@/tests/architecture/source";

const MAX_HANDLER_LINES = 10;

const SCRIPT = SOURCES.filter(({ path }) => /\.tsx?$/.test(path));

/** Functions of a file with the lines they take. */
function listFunctions(path: string, text: string): { name: string; lines: number }[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found: { name: string; lines: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const from = source.getLineAndCharacterOfPosition(node.getStart()).line;
      const to = source.getLineAndCharacterOfPosition(node.getEnd()).line;
      found.push({ name: `${path}:${from + 1}`, lines: to - from + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("size", () => {
  it(`keeps route handlers within ${MAX_HANDLER_LINES} lines`, () => {
    const tooLong = SCRIPT.filter(({ path }) => path.startsWith("app/api/"))
      .flatMap(({ path, text }) => listFunctions(path, text))
      .filter(({ lines }) => lines > MAX_HANDLER_LINES);
    expect(tooLong).toEqual([]);
  });
});

describe("what is not written here", () => {
  const BANNED: [string, RegExp, (path: string) => boolean][] = [
    [
      "float arithmetic on money",
      /\.toFixed\(|parseFloat\(|\* ?1e6\b/,
      (path) => path.startsWith("tests/"),
    ],
    ["patched JSON", /prototype\.toJSON/, () => false],
    [
      "unchecked types",
      /\bas any\b|: any\b|@ts-(ignore|expect-error|nocheck)|oxlint-disable|eslint-disable/,
      () => false,
    ],
    [
      "leftovers",
      /\b(TODO|FIXME|XXX|HACK)\b/,
      (path) => path === "tests/architecture/tidy.test.ts",
    ],
    ["skipped tests without a reason", /\b(it|test|describe)\.(only|todo)\b/, () => false],
  ];

  it.each(BANNED)("%s", (_name, pattern, isExcused) => {
    const found = SOURCES.filter(
      ({ path }) => !isExcused(path) && path !== "tests/architecture/tidy.test.ts",
    )
      .filter(({ text }) => pattern.test(text))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });

  it("direct reads of the clock, randomness or environment in the domain", () => {
    const found = PRODUCT.filter(({ path }) => path.startsWith("lib/domain/"))
      .filter(({ text }) => /Date\.now\(|new Date\(\)|Math\.random\(|process\.env/.test(text))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });
});

describe("documents", () => {
  const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].concat(
    readdirSync("docs", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join("docs", name)),
    readdirSync("packages").map((name) => join("packages", name, "README.md")),
  );

  it.each(documents)("%s names only files that exist", (document) => {
    const text = readFileSync(document, "utf8");
    const named = [
      ...text.matchAll(/`((?:app|components|docs|lib|public|tests)\/[\w./()[\]-]+)`/g),
    ];
    const paths = named.map(([, path]) => path ?? "");
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it.each(documents)("%s links only to files and headings that exist", (document) => {
    const text = readFileSync(document, "utf8");
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
    const broken = links.filter(([, path = "", anchor]) => {
      const target = path === "" ? document : join(dirname(document), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !listHeadings(readFileSync(target, "utf8")).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it("the README has a line for every document", () => {
    const readme = readFileSync("README.md", "utf8");
    const listed = documents.filter((path) => path !== "README.md" && !path.includes("adr/"));
    expect(listed.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
  });
});

/** The anchors that GitHub makes of a document's headings. */
function listHeadings(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}
