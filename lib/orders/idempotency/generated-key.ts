import "server-only";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";

/** The placement of an order with a generated key failed. The cause is the actual error. */
export class GeneratedKeyFailure extends Error {
  override readonly name = "GeneratedKeyFailure";

  constructor(
    readonly idempotencyKey: string,
    cause: unknown,
  ) {
    super("the placement with a generated key failed", { cause });
  }
}

/**
 * Adds a generated key to an order without one. Errors are wrapped with the key, so that the message
 * of the response can name it.
 *
 * @param place places the order. Its second argument says whether the key was generated now.
 */
export async function withGeneratedKey<Body extends { idempotencyKey?: string | undefined }, T>(
  body: Body,
  place: (body: Body, isKeyNew: boolean) => Promise<T>,
): Promise<T> {
  if (body.idempotencyKey !== undefined) return place(body, false);
  const idempotencyKey = generateIdempotencyKey();
  try {
    return await place({ ...body, idempotencyKey }, true);
  } catch (error) {
    throw new GeneratedKeyFailure(idempotencyKey, error);
  }
}

export const generateIdempotencyKey = (): string => newId("auto");

/** Adds the generated key to the message of a 502: the caller needs it to repeat the request. */
export function addKeyToMessage(error: AppError, idempotencyKey: string): AppError {
  if (error.status !== 502) return error;
  const message = `${error.message} The idempotencyKey is ${idempotencyKey}.`;
  return new AppError(error.code, message, { headers: error.headers, cause: error });
}
