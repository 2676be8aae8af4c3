import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { type ApiRequestFilter, selectApiRequests } from "@/lib/db/queries/api-requests";
import { ERROR_STATUS, type ErrorCode } from "@/lib/errors";
import type { ApiRequestList } from "@/lib/schemas/key-views";
import { decodeTimeCursor, encodeTimeCursor, pageOf } from "@/lib/services/cursor";

const LIST = "requests";
const PAGE_SIZE = 50;

export interface RequestsQuery extends Pick<ApiRequestFilter, "keyId" | "statusClass"> {
  nextCursor?: string | undefined;
}

/** The account's calls to the interface, newest first, as far as they are kept. */
export async function listRequests(
  principal: Principal,
  query: RequestsQuery,
): Promise<z.output<typeof ApiRequestList>> {
  const { keyId, statusClass } = query;
  const found = await selectApiRequests(
    await getDb(),
    { userId: principal.userId, keyId, statusClass },
    decodeTimeCursor(LIST, query.nextCursor),
    PAGE_SIZE + 1,
  );
  const { rows, nextCursor } = pageOf(found, PAGE_SIZE, (row) => encodeTimeCursor(LIST, row));
  const requests = rows.map((row) => ({
    id: row.id,
    keyId: row.keyId,
    method: row.method,
    path: row.path,
    status: row.status,
    errorCode: isErrorCode(row.errorCode) ? row.errorCode : null,
    durationMs: row.durationMs,
    createdAt: row.createdAt,
  }));
  return { requests, nextCursor };
}

function isErrorCode(code: string | null): code is ErrorCode {
  return code !== null && Object.hasOwn(ERROR_STATUS, code);
}
