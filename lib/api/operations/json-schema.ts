import "server-only";
import { z } from "zod";

/** What the reference reads of a JSON Schema; the rest of the dialect does not occur in ours. */
export const JsonSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  const: z.union([z.string(), z.boolean()]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), JsonSchema).optional();
  },
  get items() {
    return JsonSchema.optional();
  },
  get anyOf() {
    return z.array(JsonSchema).optional();
  },
  get oneOf() {
    return z.array(JsonSchema).optional();
  },
});
export type JsonSchema = z.output<typeof JsonSchema>;

/** The named schemas of the document. */
export type Components = Record<string, JsonSchema>;

const REFERENCE = "#/components/schemas/";

/** Follows a pointer to the schema it names. */
export function resolve(schema: JsonSchema, components: Components): JsonSchema {
  const name = getSchemaName(schema);
  return name === null ? schema : (components[name] ?? schema);
}

/** The name a pointer gives, or null for a schema that is written out. */
export function getSchemaName(schema: JsonSchema): string | null {
  return schema.$ref?.startsWith(REFERENCE) ? schema.$ref.slice(REFERENCE.length) : null;
}

/** The items of an array, whatever way they are given. */
export function getItems(schema: JsonSchema): JsonSchema | null {
  return schema.items ?? null;
}

/** The type in words: "number or null", "array". */
export function describeType(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(describeType).join(" or ");
  if (schema.oneOf) return `one of ${schema.oneOf.length} kinds of object`;
  if (typeof schema.const === "boolean") return "boolean";
  return [schema.type ?? "string"].flat().join(" or ");
}

/** The limits of a value in words; empty when there are none. */
export function describeConstraints(schema: JsonSchema): string {
  const [choice] = schema.anyOf ?? [];
  if (choice) return describeConstraints(choice);
  const { minLength, maxLength, exclusiveMinimum, exclusiveMaximum } = schema;
  const limits = [
    schema.const === undefined ? "" : `always ${schema.const}`,
    schema.enum ? `one of ${schema.enum.join(", ")}` : "",
    schema.format === "date-time" ? "ISO 8601, UTC" : "",
    exclusiveMinimum === undefined ? "" : `greater than ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? "" : `less than ${exclusiveMaximum}`,
    describeLength(minLength, maxLength),
  ];
  return limits.filter(Boolean).join("; ");
}

function describeLength(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? "" : `at most ${most} characters`;
  if (most !== undefined) return `${least} to ${most} characters`;
  return least === 1 ? "not empty" : `at least ${least} characters`;
}
