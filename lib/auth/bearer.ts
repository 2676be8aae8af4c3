import "server-only";
import { AppError } from "@/lib/errors";
import { type ParsedKey, parseKey } from "@/lib/auth/api-key";

const BEARER = /^Bearer +(\S+)$/i;

/** An API key of a request whose form is valid. Whether it exists is not known yet. */
export interface Bearer {
  key: string;
  parsed: ParsedKey;
}

/**
 * Reads the API key from the Authorization header and checks its format, without a database query.
 * Throws MISSING_API_KEY or INVALID_API_KEY. Two Authorization headers arrive joined by a comma, which
 * is invalid.
 */
export function readBearer(headers: Pick<Headers, "get">): Bearer {
  const header = headers.get("authorization");
  if (header === null || header.trim() === "") {
    throw refuse("MISSING_API_KEY", "Send the API key as Authorization: Bearer <USER_API_KEY>.");
  }
  const key = BEARER.exec(header.trim())?.[1];
  const parsed = key === undefined ? null : parseKey(key);
  if (key === undefined || parsed === null) {
    throw refuse("INVALID_API_KEY", "The Authorization header doesn't contain a valid API key.");
  }
  return { key, parsed };
}

function refuse(code: "MISSING_API_KEY" | "INVALID_API_KEY", message: string): AppError {
  return new AppError(code, message, { headers: { "www-authenticate": "Bearer" } });
}
