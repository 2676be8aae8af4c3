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
  const bytes = await readBytes(request.body, MAX_BODY_BYTES);
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

/** Reads a body of at most `max` bytes. Returns null if it has more. */
export async function readBytes(body: ApiRequest["body"], max: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    total += value.byteLength;
    if (total > max) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
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
