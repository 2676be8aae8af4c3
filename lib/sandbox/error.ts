import "server-only";
import { isDatabaseUnavailable, isTransient } from "@/lib/db/errors";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";

const NOT_READY = "service not ready";

/**
 * A refusal in the venue's words: the body is `{"error": message}` with this status, or empty if there
 * is no message.
 */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly status: number;
  /** Fields of the body beside the message. */
  readonly extra: Record<string, string | number>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    extra: Record<string, string | number> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.extra = extra;
    this.headers = headers;
  }
}

/** Converts any failure to the venue's words. Logs failures that are not the caller's fault. */
export function toSandboxError(error: unknown, method: string): SandboxError {
  if (error instanceof SandboxError) return error;
  if (error instanceof AppError && error.code.startsWith("UPSTREAM_")) {
    // The exchange has no quotes to match against. Nothing was done, so the client may retry.
    return new SandboxError(method === "GET" ? 503 : 425, NOT_READY);
  }
  if (error instanceof AppError && error.code === "DATABASE_UNAVAILABLE") return createBusy();
  log.error("sandbox request failed", errorFields(error));
  if (isDatabaseUnavailable(error) && !isTransient(error)) return createBusy();
  return new SandboxError(500, "could not run the execution");
}

/** The service is overloaded, or its database does not respond. The client must look what happened. */
const createBusy = () => new SandboxError(503, NOT_READY, {}, { "retry-after": "1" });

/** Returns null where the venue would refuse, such as for an unknown token. */
export async function nullIfRefused<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SandboxError) return null;
    throw error;
  }
}
