import "server-only";
import { AppError } from "@/lib/errors";
import { MAX_BODY_BYTES, tooLarge } from "@/lib/http/gate";
import type { ApiRequest } from "@/lib/http/request";

const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*)?)?$/i;

/** Reads a JSON body, counting its bytes as they come. Throws the 400 that says what is wrong. */
export async function readJson(request: ApiRequest): Promise<unknown> {
  assertJsonType(request.headers);
  const bytes = await readBytes(request.body, MAX_BODY_BYTES);
  if (bytes === null) throw tooLarge();
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("INVALID_JSON", "the request body is not valid JSON");
  }
}

function assertJsonType(headers: ApiRequest["headers"]): void {
  const type = headers.get("content-type");
  const encoding = headers.get("content-encoding");
  if (type !== null && !JSON_TYPE.test(type.trim())) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "send Content-Type: application/json");
  }
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "a compressed request body is not accepted");
  }
}

/** A body, no further than `max` bytes; null when it has more. */
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
    throw new AppError("INVALID_JSON", "the request body is not valid UTF-8");
  }
}
