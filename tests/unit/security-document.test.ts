import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("SECURITY.md names tests and files that are there", () => {
  const text = readFileSync("SECURITY.md", "utf8");
  const cited = [...text.matchAll(/`((?:app|lib|tests)\/[\w./[\]-]+|\w+\.ts)`/g)];
  const paths = cited.map(([, path]) => path ?? "");
  expect(paths.filter((path) => path.startsWith("tests/")).length).toBeGreaterThan(25);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
