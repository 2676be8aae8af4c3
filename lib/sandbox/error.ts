import "server-only";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";

/** A refusal in the venue's own words: the body is `{"error": message}` with its status. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly status: number;
  /** What the body holds besides the message. */
  readonly extra: Record<string, string>;

  constructor(status: number, message: string, extra: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.extra = extra;
  }
}

export const unauthorized = () => new SandboxError(401, "Unauthorized/Invalid api key");

/** Any failure in the venue's words. What is not the caller's fault is logged. */
export function toSandboxError(error: unknown, method: string): SandboxError {
  if (error instanceof SandboxError) return error;
  if (error instanceof AppError && error.code.startsWith("UPSTREAM_")) {
    // The exchange has no quotes to match against: nothing was done, and may be asked for again.
    return new SandboxError(method === "GET" ? 503 : 425, "service not ready");
  }
  log.error("sandbox request failed", errorFields(error));
  return new SandboxError(500, "could not run the execution");
}
