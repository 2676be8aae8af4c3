import "server-only";
import { AppError } from "@/lib/errors";
import { type ParsedKey, parseKey } from "@/lib/auth/api-key";

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Takes the API key out of a request and checks its form. Throws the refusal; whether the key
 * exists is decided later. Two Authorization headers arrive joined by a comma and are refused.
 */
export function readBearer(headers: Pick<Headers, "get">): { key: string; parsed: ParsedKey } {
  const header = headers.get("authorization");
  if (header === null || header.trim() === "") {
    throw refuse("MISSING_API_KEY", "send the API key as Authorization: Bearer <USER_API_KEY>");
  }
  const key = BEARER.exec(header.trim())?.[1];
  const parsed = key === undefined ? null : parseKey(key);
  if (key === undefined || parsed === null) {
    throw refuse("INVALID_API_KEY", "the Authorization header does not hold a valid API key");
  }
  return { key, parsed };
}

function refuse(code: "MISSING_API_KEY" | "INVALID_API_KEY", message: string): AppError {
  return new AppError(code, message, { headers: { "www-authenticate": "Bearer" } });
}
