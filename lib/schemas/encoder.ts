import { z } from "zod";

/** Encodes a domain value as a JSON value. */
type Encode = (value: unknown) => unknown;

const encoders = new WeakMap<z.ZodType, Encode>();

/**
 * Returns a schema's encoder. It returns or throws the same as `z.encode`, but walks the schema once
 * instead of for each value. 100 open orders take 94 µs instead of 189 µs, of a request of 860 µs
 * (docs/adr/0016).
 */
export function getEncoder(schema: z.ZodType): Encode {
  const known = encoders.get(schema);
  if (known) return known;
  const made = makeEncoder(schema);
  encoders.set(schema, made);
  return made;
}

function makeEncoder(schema: z.ZodType): Encode {
  // Schemas with refinements are left to zod.
  if ((schema.def.checks ?? []).length > 0) return (value) => z.encode(schema, value);
  if (schema instanceof z.ZodObject) return encodeObject(schema);
  if (schema instanceof z.ZodArray) return encodeArray(getEncoder(asType(schema.element)));
  if (schema instanceof z.ZodNullable) return encodeNullable(getEncoder(asType(schema.unwrap())));
  if (schema instanceof z.ZodCodec) return encodeCodec(schema);
  if (schema instanceof z.ZodString) return encodePrimitive("string");
  if (schema instanceof z.ZodBoolean) return encodePrimitive("boolean");
  if (schema instanceof z.ZodDiscriminatedUnion) return encodeUnion(schema);
  if (schema instanceof z.ZodEnum) return encodeOneOf(new Set(schema.options));
  if (schema instanceof z.ZodLiteral) return encodeOneOf(schema.values);
  return (value) => z.encode(schema, value);
}

function encodeObject({ shape }: z.ZodObject): Encode {
  const fields = Object.entries(shape).map(([name, field]): [string, Encode] => [
    name,
    getEncoder(asType(field)),
  ]);
  return (value) => {
    if (!isRecord(value)) throw unfit("an object");
    const wire: Record<string, unknown> = {};
    for (const [name, encode] of fields) {
      const encoded = encode(value[name]);
      if (encoded !== undefined) wire[name] = encoded;
    }
    return wire;
  };
}

/** Chooses the option by its discriminator, a literal or an enum. */
function encodeUnion({ def, options }: z.ZodDiscriminatedUnion): Encode {
  const byKind = new Map<unknown, Encode>();
  for (const option of options) {
    const type = asType(option);
    if (!(type instanceof z.ZodObject)) throw new Error("the options of a union are objects");
    const named = asType(type.shape[def.discriminator]);
    const values = named instanceof z.ZodEnum ? named.options : asLiteral(named).values;
    for (const value of values) byKind.set(value, getEncoder(type));
  }
  return (value) => {
    const encode = isRecord(value) ? byKind.get(value[def.discriminator]) : undefined;
    if (!encode) throw unfit("one of the kinds that its schema names");
    return encode(value);
  };
}

function asLiteral(schema: z.ZodType): z.ZodLiteral {
  if (schema instanceof z.ZodLiteral) return schema;
  throw new Error("a discriminator is a literal or an enum");
}

function encodeArray(encode: Encode): Encode {
  return (value) => {
    if (!Array.isArray(value)) throw unfit("a list");
    return value.map(encode);
  };
}

function encodeNullable(encode: Encode): Encode {
  return (value) => (value === null ? null : encode(value));
}

function encodeCodec({ def }: z.ZodCodec): Encode {
  return (value) => {
    if (value === null || value === undefined) throw unfit("a value");
    return def.reverseTransform(value, { value, issues: [] });
  };
}

function encodePrimitive(type: "string" | "boolean"): Encode {
  return (value) => {
    if (typeof value !== type) throw unfit(`a ${type}`);
    return value;
  };
}

function encodeOneOf(values: ReadonlySet<unknown>): Encode {
  return (value) => {
    if (!values.has(value)) throw unfit("one of the values that its schema names");
    return value;
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Zod types a schema's parts without their methods. */
function asType(part: z.core.$ZodType): z.ZodType {
  if (part instanceof z.ZodType) return part;
  throw new Error("a schema is made of schemas");
}

function unfit(wanted: string): Error {
  return new Error(`response does not match its schema: expected ${wanted}`);
}
