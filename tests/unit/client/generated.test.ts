import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderClientTypes } from "@/lib/cli/render-client-types";

const FILE = "packages/client/src/generated.ts";

it("the client's types are those of the OpenAPI document", async () => {
  const isCurrent = readFileSync(FILE, "utf8") === (await renderClientTypes());
  expect(isCurrent, `${FILE} is out of date; "npm run docs" writes it`).toBe(true);
});
