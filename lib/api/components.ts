import "server-only";
import { z } from "zod";

type Json = Record<string, unknown>;

/** A pointer to a named schema, or the schema itself if it has no name. */
export function buildReference(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  return id === undefined
    ? z.toJSONSchema(schema, { io: "input" })
    : { $ref: `#/components/schemas/${id}` };
}

/**
 * Returns the JSON Schemas of all named schemas that the given ones are made of, by name.
 *
 * Schemas are open: the interface allows any further property, and a response can gain some. A tuple
 * is written as an array of fixed length, because generators of clients do not know `prefixItems`.
 *
 * It starts from the given schemas, not from zod's registry: the registry also has those that other
 * bundles of the same process registered under the same names.
 */
export function buildComponents(schemas: readonly z.ZodType[]): Json {
  const { $defs = {} } = z.toJSONSchema(z.union(schemas), {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      const { prefixItems } = jsonSchema;
      if (!prefixItems?.[0]) return;
      delete jsonSchema.prefixItems;
      const length = prefixItems.length;
      Object.assign(jsonSchema, { items: prefixItems[0], minItems: length, maxItems: length });
    },
  });
  const text = JSON.stringify($defs).replaceAll('"#/$defs/', '"#/components/schemas/');
  const named = z.record(z.string(), z.record(z.string(), z.unknown())).parse(JSON.parse(text));
  // The key says the name.
  for (const schema of Object.values(named)) delete schema["id"];
  return named;
}
