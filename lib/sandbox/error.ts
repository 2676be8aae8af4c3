import "server-only";

/** A refusal in the venue's own words: the body is `{"error": message}` with its status. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const unauthorized = () => new SandboxError(401, "Unauthorized/Invalid api key");
