import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderConfiguration } from "@/lib/cli/render-configuration";
import { ENV_NAMES } from "@/lib/env";

it("docs/configuration.md describes the variables of lib/env.ts", () => {
  const isCurrent = readFileSync("docs/configuration.md", "utf8") === renderConfiguration();
  expect(isCurrent, "docs/configuration.md is out of date; `npm run docs` writes it").toBe(true);
});

it(".env.example lists every variable", () => {
  const example = readFileSync(".env.example", "utf8");
  expect(ENV_NAMES.filter((name) => !new RegExp(`^#? ?${name}=`, "m").test(example))).toEqual([]);
});
