import "server-only";
import { createHmac } from "node:crypto";
import { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

const TAG_BYTES = 9;

/**
 * Encodes an opaque cursor from the list's name and the sort key of the last row. The cursor is signed,
 * so clients can't forge one, and another list rejects it.
 */
export function encodeCursor(list: string, values: readonly (string | number)[]): string {
  const content = Buffer.from(JSON.stringify([list, ...values]));
  return Buffer.concat([computeTag(content), content]).toString("base64url");
}

/** Returns a cursor's values. Throws INVALID_CURSOR. */
export function decodeCursor<T extends z.ZodType>(
  list: string,
  schema: T,
  cursor: string,
): z.output<T> {
  const bytes = Buffer.from(cursor, "base64url");
  const [tag, content] = [bytes.subarray(0, TAG_BYTES), bytes.subarray(TAG_BYTES)];
  // Base64 decoding skips invalid characters, so the text must equal its own encoding.
  if (bytes.toString("base64url") === cursor && tag.equals(computeTag(content))) {
    const [name, ...values] = JSON.parse(content.toString("utf8")) as unknown[];
    const parsed = schema.safeParse(values);
    if (name === list && parsed.success) return parsed.data;
  }
  throw new AppError("INVALID_CURSOR", "This nextCursor doesn't belong to this list.");
}

function computeTag(content: Uint8Array): Buffer {
  const key = `cursor/${env().NEXTAUTH_SECRET}`;
  return createHmac("sha256", key).update(content).digest().subarray(0, TAG_BYTES);
}

const TimeCursor = z.tuple([
  z.int().min(0).max(8_640_000_000_000_000),
  z.string().regex(/^[a-z]{3}_[0-9A-Z]{26}$/),
]);

export interface TimePosition {
  createdAt: Date;
  id: string;
}

/** Encodes the cursor of a list that is ordered by (created_at, id). */
export function encodeTimeCursor(list: string, row: TimePosition): string {
  return encodeCursor(list, [row.createdAt.getTime(), row.id]);
}

export function decodeTimeCursor(list: string, cursor: string | undefined): TimePosition | null {
  return cursor === undefined ? null : decodeTimePosition(list, cursor);
}

export function decodeTimePosition(list: string, cursor: string): TimePosition {
  const [createdAt, id] = decodeCursor(list, TimeCursor, cursor);
  return { createdAt: new Date(createdAt), id };
}

/** Cuts rows to a page and its next cursor. Takes `limit + 1` rows: the last one proves a next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  encodeRow: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? encodeRow(last) : null };
}
