import "server-only";
import type { ClientBase, QueryConfig } from "pg";

/** Statements that are named; a process that ran more kinds than this leaves the rest unnamed. */
const MAX_NAMES = 400;

/** A statement earns its name the second time: what runs once is not worth keeping at the server. */
const names = new Map<string, string | null>();
let given = 0;

/**
 * Makes a connection prepare what it runs again and again by name, so that the server parses and
 * plans it once for all. A statement's text alone decides on its name.
 */
export function prepareByName(client: ClientBase): void {
  const original: unknown = Reflect.get(client, "query");
  if (typeof original !== "function") throw new Error("a pg client has no query method");
  const query = (config: unknown, ...rest: unknown[]): unknown =>
    Reflect.apply(original, client, [isUnnamed(config, rest[0]) ? named(config) : config, ...rest]);
  Object.defineProperty(client, "query", { value: query });
}

/** Statements without parameters, such as "begin", are cheaper as plain text. */
function isUnnamed(config: unknown, values: unknown): config is QueryConfig {
  const hasValues = Array.isArray(values) && values.length > 0;
  if (!hasValues || typeof config !== "object" || config === null) return false;
  return "text" in config && typeof config.text === "string" && !("name" in config && config.name);
}

function named(config: QueryConfig): QueryConfig {
  const name = nameOf(config.text);
  return name === null ? config : { ...config, name };
}

function nameOf(text: string): string | null {
  const known = names.get(text);
  if (known) return known;
  if (known === undefined) {
    if (names.size < MAX_NAMES) names.set(text, null);
    return null;
  }
  given += 1;
  const name = `ante_${given}`;
  names.set(text, name);
  return name;
}
