import "server-only";
import { AppError } from "@/lib/errors";
import { findDuplicateName } from "@/lib/api/http/duplicate-names";
import type { ApiRequest } from "@/lib/api/http/request";

export const MAX_BODY_BYTES = 16 * 1024;
/** How much of a repeated name a message quotes. */
const MAX_QUOTED = 64;
const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*)?)?$/i;

/** Reads a JSON body up to the limit. Throws the 400 that names the problem. */
export async function readJson(request: ApiRequest): Promise<unknown> {
  assertJsonType(request.headers);
  const bytes = await request.readBody(MAX_BODY_BYTES);
  if (bytes === null) throw tooLarge();
  const text = decode(bytes);
  const value = parse(text);
  const repeated = findDuplicateName(text);
  if (repeated !== null) {
    const name = JSON.stringify(repeated.slice(0, MAX_QUOTED));
    throw new AppError("INVALID_JSON", `The request body has the name ${name} more than once.`);
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("INVALID_JSON", "The request body is not valid JSON.");
  }
}

function assertJsonType(headers: ApiRequest["headers"]): void {
  const type = headers.get("content-type");
  const encoding = headers.get("content-encoding");
  if (type !== null && !JSON_TYPE.test(type.trim())) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send Content-Type: application/json.");
  }
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Compressed request bodies are not accepted.");
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("INVALID_JSON", "The request body is not valid UTF-8.");
  }
}

export function tooLarge(): AppError {
  return new AppError(
    "PAYLOAD_TOO_LARGE",
    `A request body can have at most ${MAX_BODY_BYTES} bytes.`,
  );
}
