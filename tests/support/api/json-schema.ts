type Json = Record<string, unknown>;

/** Problems with their paths in the value; empty if it is valid. */
export type Complaints = string[];

const KNOWN = new Set([
  "$ref",
  "additionalProperties",
  "allOf",
  "anyOf",
  "const",
  "description",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maximum",
  "minItems",
  "minLength",
  "minimum",
  "oneOf",
  "pattern",
  "prefixItems",
  "properties",
  "propertyNames",
  "required",
  "type",
]);

/**
 * Checks a value against a schema of an OpenAPI 3.1 document, for the keywords of JSON Schema 2020-12
 * that our documents use. Reports unknown keywords, so that nothing is left unchecked.
 */
export function checkSchema(document: Json, schema: Json, value: unknown, at = "$"): Complaints {
  const target = schema["$ref"];
  if (typeof target === "string")
    return checkSchema(document, resolve(document, target), value, at);
  const check = (inner: unknown, of: unknown, path: string) =>
    checkSchema(document, inner as Json, of, path);
  return [
    ...unknownKeywords(schema, at),
    ...checkType(schema, value, at),
    ...checkChoice(schema, value, at, check),
    ...checkText(schema, value, at),
    ...checkNumber(schema, value, at),
    ...checkList(schema, value, at, check),
    ...checkObject(schema, value, at, check),
  ];
}

/** Resolves a local reference. */
export function resolve(document: Json, reference: string): Json {
  let found: unknown = document;
  for (const part of reference.replace(/^#\//, "").split("/")) found = (found as Json)[part];
  if (typeof found !== "object" || found === null) throw new Error(`${reference} does not exist`);
  return found as Json;
}

type Check = (inner: unknown, of: unknown, path: string) => Complaints;

function unknownKeywords(schema: Json, at: string): Complaints {
  return Object.keys(schema)
    .filter((keyword) => !KNOWN.has(keyword))
    .map((keyword) => `${at}: the keyword ${keyword} is not supported`);
}

function getJsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function checkType({ type }: Json, value: unknown, at: string): Complaints {
  if (type === undefined) return [];
  const actual = getJsonType(value);
  const allowed = (Array.isArray(type) ? type : [type]) as string[];
  const fits = allowed.some(
    (name) => name === actual || (name === "integer" && Number.isSafeInteger(value)),
  );
  return fits ? [] : [`${at}: is ${actual}, not ${allowed.join(" or ")}`];
}

function checkChoice(schema: Json, value: unknown, at: string, check: Check): Complaints {
  const complaints: Complaints = [];
  if ("const" in schema && value !== schema["const"]) complaints.push(`${at}: is another constant`);
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(value)) {
    complaints.push(`${at}: ${JSON.stringify(value)} is none of the allowed values`);
  }
  for (const name of ["anyOf", "oneOf"]) {
    const choices = schema[name];
    if (!Array.isArray(choices)) continue;
    const fitting = choices.filter((choice) => check(choice, value, at).length === 0).length;
    const isRight = name === "oneOf" ? fitting === 1 : fitting > 0;
    if (!isRight) complaints.push(`${at}: fits ${fitting} schemas of ${name}`);
  }
  const all = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  return [...complaints, ...all.flatMap((part) => check(part, value, at))];
}

function checkText(
  { minLength, maxLength, pattern }: Json,
  value: unknown,
  at: string,
): Complaints {
  if (typeof value !== "string") return [];
  const complaints: Complaints = [];
  const length = [...value].length;
  if (typeof minLength === "number" && length < minLength) complaints.push(`${at}: is too short`);
  if (typeof maxLength === "number" && length > maxLength) complaints.push(`${at}: is too long`);
  if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value)) {
    complaints.push(`${at}: ${JSON.stringify(value)} does not match ${pattern}`);
  }
  return complaints;
}

function checkNumber(schema: Json, value: unknown, at: string): Complaints {
  if (typeof value !== "number") return [];
  const bound = (name: string) => {
    const limit = schema[name];
    return typeof limit === "number" ? limit : undefined;
  };
  const isInside =
    value >= (bound("minimum") ?? -Infinity) &&
    value <= (bound("maximum") ?? Infinity) &&
    value > (bound("exclusiveMinimum") ?? -Infinity) &&
    value < (bound("exclusiveMaximum") ?? Infinity);
  return isInside ? [] : [`${at}: ${value} is out of range`];
}

function checkList(schema: Json, value: unknown, at: string, check: Check): Complaints {
  if (!Array.isArray(value)) return [];
  const { prefixItems, items, minItems = 0, maxItems = Infinity } = schema;
  const isRightLength = value.length >= Number(minItems) && value.length <= Number(maxItems);
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  const ofItems = value.flatMap((item, index) => {
    const own = first[index] ?? items;
    return own === undefined ? [] : check(own, item, `${at}[${index}]`);
  });
  return isRightLength ? ofItems : [`${at}: has ${value.length} items`, ...ofItems];
}

function checkObject(schema: Json, value: unknown, at: string, check: Check): Complaints {
  if (getJsonType(value) !== "object") return [];
  const object = value as Json;
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const missing = (required as string[]).filter((name) => !Object.hasOwn(object, name));
  const complaints = missing.map((name) => `${at}: lacks ${name}`);
  for (const [name, item] of Object.entries(object)) {
    const known = (properties as Json)[name];
    const path = `${at}.${name}`;
    if (known !== undefined) complaints.push(...check(known, item, path));
    else if (additionalProperties === false) complaints.push(`${path}: is not documented`);
    else if (additionalProperties !== true)
      complaints.push(...check(additionalProperties, item, path));
  }
  return complaints;
}
