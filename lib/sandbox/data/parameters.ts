import "server-only";
import { getAddress, isAddress } from "ethers";
import { SandboxError } from "@/lib/sandbox/error";
import { parseMicro } from "@/lib/units";

/** The wallet that a read is about. Throws 400. */
export function walletOf(query: URLSearchParams): string {
  const user = query.get("user") ?? "";
  if (!isAddress(user)) throw new SandboxError(400, "required query param 'user' not provided");
  return getAddress(user);
}

/** A list in one parameter, or in several; undefined when it is not given. */
export function listOf(query: URLSearchParams, name: string): string[] | undefined {
  const items = query.getAll(name).flatMap((text) => text.split(","));
  // Postgres knows no text with a NUL in it, and so nothing that is called so.
  const given = items.map((item) => item.replaceAll("\0", "").trim()).filter((item) => item !== "");
  return given.length === 0 ? undefined : given;
}

/** One of the values that a parameter may have. Throws 400. */
export function choiceOf<T extends string>(
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

/** A yes, a no, or undefined when it is left open. Throws 400. */
export function flagOf(query: URLSearchParams, name: string): boolean | undefined {
  const chosen = choiceOf(query, name, ["TRUE", "FALSE"]);
  return chosen === undefined ? undefined : chosen === "TRUE";
}

/** A decimal of up to six places. Throws 400. */
export function decimalOf(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const parsed = parseMicro(text);
  if (!parsed.ok || parsed.micro < 0n) {
    throw new SandboxError(400, `invalid ${name}`, { parameter: name });
  }
  return parsed.micro;
}

/** An instant in seconds. Throws 400. */
export function instantOf(query: URLSearchParams, name: string): Date | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^\d{1,11}$/.test(text)) {
    throw new SandboxError(400, `invalid ${name}`, { parameter: name });
  }
  return new Date(Number(text) * 1000);
}

type Sortable = bigint | number | string;
type Figure<T> = (row: T) => Sortable;

/** The figure that a parameter says to sort by. Throws 400. */
export function figureOf<T>(
  query: URLSearchParams,
  name: string,
  { figures, fallback }: { figures: Record<string, Figure<T>>; fallback: string },
): Figure<T> {
  const wanted = (query.get(name) || fallback).toUpperCase();
  const figure = Object.hasOwn(figures, wanted) ? figures[wanted] : undefined;
  if (!figure) throw new SandboxError(400, `invalid ${name}`, { parameter: name });
  return figure;
}

/** Rows by a figure, the largest first unless told otherwise; equal ones keep their order. */
export function sorted<T>(
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

/** The venue's order of a list. */
export const directionOf = (query: URLSearchParams, name: string) =>
  choiceOf(query, name, ["ASC", "DESC"] as const);
