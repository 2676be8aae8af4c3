import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { describe, expect, it } from "vitest";
import { asyncApiText } from "@/lib/api/asyncapi";
import { openApiText } from "@/lib/api/openapi";
import { ACCOUNT_EVENT_TYPES } from "@/lib/domain/account-events";

interface Document {
  components: { messages?: Record<string, object>; schemas: Record<string, object> };
  channels: Record<string, { messages: Record<string, object> }>;
  webhooks: Record<string, object>;
}

const asyncApi = JSON.parse(asyncApiText()) as Document;
const openApi = JSON.parse(openApiText()) as Document;

async function lint(source: string): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({
    extends: [[spectralRulesets.asyncapi as never, "all"]],
    rules: {
      // The document doesn't know the operator, so the contact has no email.
      "asyncapi-info-contact-properties": "off",
      // More tools read 3.0 than 3.1.
      "asyncapi-latest-version": "off",
    },
  });
  const problems = await spectral.run(source);
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join("/")}`);
}

/** Lists the references of a document that lead nowhere. */
function listDeadReferences(document: object): string[] {
  const found = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
  return [...found].flatMap(([, path = ""]) => {
    const target = path
      .split("/")
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
    return target === undefined ? [path] : [];
  });
}

describe("the AsyncAPI document", () => {
  it("has no problem by Spectral's rules for AsyncAPI, all of them", async () => {
    expect(await lint(asyncApiText())).toEqual([]);
  });

  it("is refused by them without its channels", async () => {
    expect(await lint(JSON.stringify({ ...asyncApi, channels: { x: 1 } }))).not.toEqual([]);
  });

  it("has a message of every type, in the stream and in webhooks", () => {
    const { stream, webhook } = asyncApi.channels;
    expect(Object.keys(stream?.messages ?? {})).toEqual([...ACCOUNT_EVENT_TYPES, "end"]);
    expect(Object.keys(webhook?.messages ?? {})).toEqual([...ACCOUNT_EVENT_TYPES, "endpoint.test"]);
  });

  it("has the same schemas as the OpenAPI document", () => {
    const { StreamEnded, ...shared } = asyncApi.components.schemas;
    expect(StreamEnded).toBeDefined();
    expect(openApi.components.schemas).toMatchObject(shared);
  });
});

it("the OpenAPI document has a webhook of every type", () => {
  expect(Object.keys(openApi.webhooks)).toEqual([...ACCOUNT_EVENT_TYPES, "endpoint.test"]);
});

it.each([
  ["AsyncAPI", asyncApi],
  ["OpenAPI", openApi],
])("every reference of the %s document leads somewhere", (_name, document) => {
  expect(listDeadReferences(document)).toEqual([]);
  expect(listDeadReferences({ ...document, components: {} })).not.toEqual([]);
});
