import "server-only";
import { SandboxError } from "@/lib/sandbox/error";

/** The CLOB's cursor after the last page: base64 of -1. */
const END = "LTE=";
const START = "MA==";

/** Builds one page of a CLOB list. Its cursor is base64 of a decimal offset. */
export function toClobPage<T>(rows: readonly T[], offset: number, limit: number) {
  const next = offset + rows.length;
  return {
    limit,
    count: rows.length,
    next_cursor: rows.length < limit ? END : Buffer.from(String(next)).toString("base64"),
    data: rows,
  };
}

/** Reads the offset from a CLOB cursor; null after the last page. Throws 400. */
export function readClobOffset(query: URLSearchParams): number | null {
  const cursor = query.get("next_cursor") || START;
  if (cursor === END) return null;
  const text = Buffer.from(cursor, "base64").toString("utf8");
  if (!/^\d{1,9}$/.test(text)) throw new SandboxError(400, "Invalid next_cursor");
  return Number(text);
}

interface Bounds {
  limit: number;
  offset: number;
}

/** Cuts one page of the second Data API out of all rows. Throws 400. */
export function cutV2Page<T>(rows: readonly T[], query: URLSearchParams, maxLimit: number) {
  const bounds = readV2Bounds(query, maxLimit);
  return toV2Page(rows.slice(bounds.offset, bounds.offset + bounds.limit + 1), bounds);
}

/**
 * Reads limit and cursor of the second Data API. Throws 400, also for an explicit offset, which
 * the venue rejects.
 */
export function readV2Bounds(query: URLSearchParams, maxLimit: number): Bounds {
  if (query.has("offset")) throw invalid("offset", "offset is not supported, use cursor");
  return { limit: readV2Limit(query, maxLimit), offset: readV2Offset(query.get("cursor")) };
}

/**
 * Builds one page of the second Data API.
 *
 * @param rows the rows from the offset on. One more than the limit means that there is another page.
 */
export function toV2Page<T>(rows: readonly T[], { limit, offset }: Bounds) {
  const data = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const next = Buffer.from(String(offset + data.length)).toString("base64url");
  const next_cursor = hasMore ? next : "";
  return { data, pagination: { limit, offset, has_more: hasMore, next_cursor } };
}

function readV2Limit(query: URLSearchParams, max: number): number {
  const text = query.get("limit") ?? "100";
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > max) {
    throw invalid("limit", `limit must be between 1 and ${max}`);
  }
  return Number(text);
}

function readV2Offset(cursor: string | null): number {
  if (!cursor) return 0;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  if (!/^\d{1,9}$/.test(text)) throw invalid("cursor", "invalid cursor");
  return Number(text);
}

function invalid(parameter: string, message: string): SandboxError {
  return new SandboxError(400, message, { parameter });
}
