import "server-only";
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { openApiText } from "@/lib/api/openapi";

type Json = Record<string, unknown>;

const HEADER = `// Generated from /v1/openapi.json by "npm run docs". Don't edit.\nimport type { Decimal } from "./decimal.ts";\n\n`;

/**
 * Renders the types of `@ante/client` from the OpenAPI document. Decimal numbers become `Decimal`, because
 * a program that adds JSON numbers rounds money. Integers stay numbers.
 */
export async function renderClientTypes(): Promise<string> {
  const document = keepUsedParts(JSON.parse(openApiText()) as Json);
  const types = await openapiTypescript(document as unknown as OpenAPI3, {
    transform: ({ type }) => {
      const kinds = [type].flat();
      if (!kinds.includes("number")) return undefined;
      const decimal = ts.factory.createTypeReferenceNode("Decimal");
      if (!kinds.includes("null")) return decimal;
      const none = ts.factory.createLiteralTypeNode(ts.factory.createNull());
      return ts.factory.createUnionTypeNode([decimal, none]);
    },
  });
  const names = listDecimalFields(document).map((name) => `  ${JSON.stringify(name)},\n`);
  const fields = `/** The fields that are decimal numbers on the wire. */\nexport const DECIMAL_FIELDS: ReadonlySet<string> = new Set([\n${names.join("")}]);\n`;
  return `${HEADER}${astToString(types)}\n${fields}`;
}

/**
 * Leaves out what the client doesn't read: the server's address, headers, examples, and the failures, which
 * are alike everywhere. It is most of the document.
 */
function keepUsedParts({ openapi, info, paths, components }: Json): Json {
  const { schemas } = components as Json;
  const used = JSON.stringify({ openapi, info, paths, components: { schemas } }, (key, value) =>
    /^(4\d\d|5\d\d|headers|examples?)$/.test(key) ? undefined : (value as unknown),
  );
  return JSON.parse(used) as Json;
}

/** Lists the names of decimal fields. Throws if another schema uses one of them for an integer. */
function listDecimalFields(document: Json): string[] {
  const decimals = new Set<string>();
  const integers = new Set<string>();
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, name));
    if (typeof value !== "object" || value === null) return;
    const schema = value as Json;
    const kinds = [schema["type"]].flat();
    if (kinds.includes("number")) decimals.add(name);
    if (kinds.includes("integer")) integers.add(name);
    for (const [key, child] of Object.entries(schema)) {
      if (key === "example" || key === "examples") continue;
      if (key !== "properties") visit(child, name);
      else for (const [field, each] of Object.entries(child as Json)) visit(each, field);
    }
  };
  visit((document["components"] as Json)["schemas"], "");
  const both = [...decimals].filter((name) => integers.has(name));
  if (both.length > 0) throw new Error(`integer and decimal fields: ${both.join(", ")}`);
  return [...decimals].toSorted();
}
