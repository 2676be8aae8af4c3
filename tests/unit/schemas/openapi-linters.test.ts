import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { describe, expect, it } from "vitest";
import { openApiText } from "@/lib/api/openapi";

/** The document with one fault that both linters must report. */
function withoutOperationIds(): string {
  return openApiText().replaceAll(/"operationId":"[^"]+",/g, "");
}

async function lintWithRedocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`,
  );
}

async function lintWithSpectral(source: string): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({
    extends: [[spectralRulesets.oas as never, "all"]],
    rules: {
      // The document doesn't know the operator, so the contact has no email.
      "contact-properties": "off",
      // Tags are chapters in reading order.
      "openapi-tags-alphabetical": "off",
    },
  });
  const problems = await spectral.run(source);
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join("/")}`);
}

describe.each([
  ["Redocly's recommended-strict rules", lintWithRedocly],
  ["Spectral's rules for OpenAPI, all of them", lintWithSpectral],
])("%s", (_name, lint) => {
  it("find no problem in the document", async () => {
    expect(await lint(openApiText())).toEqual([]);
  });

  it("report a document without operation ids", async () => {
    expect(await lint(withoutOperationIds())).not.toEqual([]);
  });
});
