import "server-only";
import { getAddress, isAddress } from "ethers";
import { SandboxError } from "@/lib/sandbox/error";
import { parseMicro } from "@/lib/units";

const MAX_ITEMS = 100;
const MAX_CONDITIONS = 20;

/** Reads the wallet that a query is about, with its checksum. Throws 400. */
export function readWallet(query: URLSearchParams): string {
  const user = query.get("user") ?? "";
  if (!isAddress(user)) throw new SandboxError(400, "required query param 'user' not provided");
  return getAddress(user);
}

/** Reads a whole number, at most `max`. Throws 400. */
export function readNumber(
  query: URLSearchParams,
  name: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new SandboxError(400, `invalid ${name}`);
  return Math.min(max, Number(text));
}

/**
 * Reads a list, separated by commas or given as repeated parameters; undefined when it is missing
 * or empty. Throws 400.
 */
export function readList(query: URLSearchParams, name: string): string[] | undefined {
  const items = query.getAll(name).flatMap((text) => text.split(","));
  // Postgres rejects text that contains NUL.
  const given = items.map((item) => item.replaceAll("\0", "").trim()).filter((item) => item !== "");
  if (given.length > MAX_ITEMS) {
    throw new SandboxError(400, `invalid ${name}: at most ${MAX_ITEMS} items`, { parameter: name });
  }
  return given.length === 0 ? undefined : given;
}

/** Reads one of the values that a parameter may have, in any case. Throws 400. */
export function readChoice<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const chosen = choices.find((choice) => choice === text.toUpperCase());
  if (chosen === undefined) throw new SandboxError(400, `invalid ${name}`, { parameter: name });
  return chosen;
}

/** Reads `true` or `false`; undefined when the parameter is missing. Throws 400. */
export function readFlag(query: URLSearchParams, name: string): boolean | undefined {
  const chosen = readChoice(query, name, ["TRUE", "FALSE"]);
  return chosen === undefined ? undefined : chosen === "TRUE";
}

/** Reads a decimal with up to six places, in millionths. Throws 400. */
export function readDecimal(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const parsed = parseMicro(text);
  if (!parsed.ok || parsed.micro < 0n) {
    throw new SandboxError(400, `invalid ${name}`, { parameter: name });
  }
  return parsed.micro;
}

/** Reads an instant in seconds. Throws 400. */
export function readInstant(query: URLSearchParams, name: string): Date | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^\d{1,11}$/.test(text)) {
    throw new SandboxError(400, `invalid ${name}`, { parameter: name });
  }
  return new Date(Number(text) * 1000);
}

/** Reads the conditions of a query, under any of the parameter's names; undefined for all. */
export function readConditions(query: URLSearchParams): string[] | undefined {
  const named = ["condition", "condition_id", "conditionId"].flatMap(
    (name) => readList(query, name) ?? [],
  );
  const distinct = [...new Set(named)];
  if (distinct.length > MAX_CONDITIONS) {
    const message = `at most ${MAX_CONDITIONS} conditions at once`;
    throw new SandboxError(400, message, { parameter: "condition" });
  }
  return distinct.length === 0 ? undefined : distinct;
}

type Figure<T> = (row: T) => bigint | number | string;

/** Reads which figure a list is sorted by. Throws 400. */
export function readFigure<T>(
  query: URLSearchParams,
  name: string,
  { figures, fallback }: { figures: Record<string, Figure<T>>; fallback: string },
): Figure<T> {
  const wanted = (query.get(name) || fallback).toUpperCase();
  const figure = Object.hasOwn(figures, wanted) ? figures[wanted] : undefined;
  if (!figure) throw new SandboxError(400, `invalid ${name}`, { parameter: name });
  return figure;
}

/** Reads a sort direction. Throws 400. */
export const readDirection = (query: URLSearchParams, name: string) =>
  readChoice(query, name, ["ASC", "DESC"] as const);

/** Sorts rows by a figure, largest first by default. The sort is stable. */
export function sortBy<T>(
  rows: readonly T[],
  figure: Figure<T>,
  direction: "ASC" | "DESC" = "DESC",
): T[] {
  const sign = direction === "ASC" ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [figure(a), figure(b)];
    if (left === right) return 0;
    return left < right ? -sign : sign;
  });
}
