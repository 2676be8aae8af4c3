import "server-only";
import { createHmac } from "node:crypto";
import { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

const TAG_BYTES = 9;

/**
 * Opaque cursors: the list's name and the sort key of its last row, signed, so that only what we
 * wrote comes back. A cursor of one list is refused by another.
 */
export function encodeCursor(list: string, values: readonly (string | number)[]): string {
  const content = Buffer.from(JSON.stringify([list, ...values]));
  return Buffer.concat([tagOf(content), content]).toString("base64url");
}

/** Reads a cursor's values. Throws INVALID_CURSOR. */
export function decodeCursor<T extends z.ZodType>(
  list: string,
  schema: T,
  cursor: string,
): z.output<T> {
  const bytes = Buffer.from(cursor, "base64url");
  const [tag, content] = [bytes.subarray(0, TAG_BYTES), bytes.subarray(TAG_BYTES)];
  // Base64 decoding skips what it does not know: only the text that we would write is ours.
  if (bytes.toString("base64url") === cursor && tag.equals(tagOf(content))) {
    const [name, ...values] = JSON.parse(content.toString("utf8")) as unknown[];
    const parsed = schema.safeParse(values);
    if (name === list && parsed.success) return parsed.data;
  }
  throw new AppError("INVALID_CURSOR", "nextCursor was not made by this list");
}

function tagOf(content: Uint8Array): Buffer {
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

/** The cursor of a list ordered by (created_at, id). */
export function encodeTimeCursor(list: string, row: TimePosition): string {
  return encodeCursor(list, [row.createdAt.getTime(), row.id]);
}

export function decodeTimeCursor(list: string, cursor: string | undefined): TimePosition | null {
  if (cursor === undefined) return null;
  const [createdAt, id] = decodeCursor(list, TimeCursor, cursor);
  return { createdAt: new Date(createdAt), id };
}

/** Cuts one row more than a page into the page and the cursor of the next. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}
