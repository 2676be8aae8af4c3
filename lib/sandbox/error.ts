import "server-only";

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
