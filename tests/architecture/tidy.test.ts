import { existsSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ENV_NAMES } from "@/lib/env";
import { PRODUCT, SOURCES } from "@/tests/architecture/source";

const MAX_FILE_LINES = 300;
const MAX_TEST_LINES = 500;
const MAX_FUNCTION_LINES = 70;
const MAX_HANDLER_LINES = 10;

const SCRIPT = SOURCES.filter(({ path }) => /\.tsx?$/.test(path));

/** Functions of a file with the lines they take. */
function functionsOf(path: string, text: string): { name: string; lines: number }[] {
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
  it(`keeps files within ${MAX_FILE_LINES} lines, tests within ${MAX_TEST_LINES}`, () => {
    const tooLong = SOURCES.map(({ path, text }) => ({
      path,
      lines: text.split("\n").length - 1,
    })).filter(
      ({ path, lines }) => lines > (path.startsWith("tests/") ? MAX_TEST_LINES : MAX_FILE_LINES),
    );
    expect(tooLong).toEqual([]);
  });

  it(`keeps functions of the product within ${MAX_FUNCTION_LINES} lines`, () => {
    const tooLong = SCRIPT.filter(({ path }) => !path.startsWith("tests/"))
      .flatMap(({ path, text }) => functionsOf(path, text))
      .filter(({ lines }) => lines > MAX_FUNCTION_LINES);
    expect(tooLong).toEqual([]);
  });

  it(`keeps route handlers within ${MAX_HANDLER_LINES} lines`, () => {
    const tooLong = SCRIPT.filter(({ path }) => path.startsWith("app/api/"))
      .flatMap(({ path, text }) => functionsOf(path, text))
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
  it("names every environment variable in .env.example and in the README", () => {
    const example = readFileSync(".env.example", "utf8");
    const readme = readFileSync("README.md", "utf8");
    expect(ENV_NAMES.filter((name) => !new RegExp(`^#? ?${name}=`, "m").test(example))).toEqual([]);
    expect(ENV_NAMES.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  it("cites no file in the README that is not there", () => {
    const readme = readFileSync("README.md", "utf8");
    const cited = [...readme.matchAll(/`((?:app|lib|tests)\/[\w./[\]-]+)`/g)].map(
      (match) => match[1] ?? "",
    );
    expect(cited.length).toBeGreaterThan(5);
    expect(cited.filter((path) => !existsSync(path))).toEqual([]);
  });
});
