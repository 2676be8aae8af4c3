import "server-only";
import { AppError } from "@/lib/errors";

const HEADER = "Idempotency-Key";
const PRINTABLE = /^[\x20-\x7e]*$/;
/** A string in the format of the header's draft standard: in double quotes, with `\` as the escape. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Adds the `Idempotency-Key` header to the body as its idempotencyKey.
 *
 * @throws CONFLICTING_FIELDS if both are given and differ.
 */
export function withHeaderKey(body: unknown, headers: Pick<Headers, "get">): unknown {
  const raw = headers.get(HEADER);
  if (raw === null || typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const fromBody = "idempotencyKey" in body ? body.idempotencyKey : undefined;
  const key = readKey(raw);
  if (fromBody === undefined) return { ...body, idempotencyKey: key };
  if (fromBody === key || fromBody === raw) return body;
  throw new AppError(
    "CONFLICTING_FIELDS",
    `The ${HEADER} header and the idempotencyKey in the body differ. Send one of them.`,
  );
}

function readKey(raw: string): string {
  if (!PRINTABLE.test(raw)) {
    throw new AppError(
      "VALIDATION_ERROR",
      `${HEADER}: can have printable ASCII only; send any other key as idempotencyKey in the body`,
    );
  }
  const quoted = QUOTED.exec(raw)?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/\\(["\\])/g, "$1");
  // Two headers arrive as one, joined by a comma.
  if (raw.includes(",")) {
    throw new AppError(
      "VALIDATION_ERROR",
      `${HEADER}: is given more than once or has a comma; send such a key in the body`,
    );
  }
  return raw;
}
