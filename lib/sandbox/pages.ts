import "server-only";
import { SandboxError } from "@/lib/sandbox/error";

/** The cursor behind the last page: base64 of -1. */
const END = "LTE=";
const START = "MA==";

/** One page of a list, with the venue's cursor: base64 of a decimal offset. */
export function toPage<T>(rows: readonly T[], offset: number, limit: number) {
  const next = offset + rows.length;
  return {
    limit,
    count: rows.length,
    next_cursor: rows.length < limit ? END : Buffer.from(String(next)).toString("base64"),
    data: rows,
  };
}

/** The offset that a cursor stands for; null behind the last page. */
export function offsetOf(query: URLSearchParams): number | null {
  const cursor = query.get("next_cursor") || START;
  if (cursor === END) return null;
  const text = Buffer.from(cursor, "base64").toString("utf8");
  if (!/^\d{1,9}$/.test(text)) throw new SandboxError(400, "Invalid next_cursor");
  return Number(text);
}
