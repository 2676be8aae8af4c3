import {
  AnteError,
  AuthenticationError,
  LimitError,
  NoResponseError,
  OutcomeUnknown,
  UnavailableError,
} from "@ante/client";
import { type ExitCode, UsageError } from "./command.ts";

/** The meaning of each exit code, for the help and for scripts. */
export const EXIT_CODES: Readonly<Record<ExitCode, string>> = {
  0: "done",
  1: "refused: it had no effect, and it will have none",
  2: "the API key is missing, invalid or lacks the scope",
  3: "outcome unknown: repeat with the same key, as `ante order resume` does",
  4: "a limit, a freeze or the rate limit",
  5: "the order waits for its owner's approval",
  6: "the service is unavailable or can't be reached",
  64: "the command line is wrong",
};

/** An error of the command line itself, with its exit code and what to do. */
export class CliError extends Error {
  override readonly name = "CliError";

  constructor(
    readonly code: string,
    message: string,
    readonly hint: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
  }
}

export interface Failure {
  exitCode: ExitCode;
  error: { code: string; message: string; hint: string; [detail: string]: unknown };
}

/** Describes an error with its exit code, and with a hint what to do. */
export function describeFailure(thrown: unknown): Failure {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof CliError)
    return { exitCode: thrown.exitCode, error: { code: thrown.code, message, hint: thrown.hint } };
  if (thrown instanceof OutcomeUnknown) {
    const { code, idempotencyKey } = thrown;
    const hint =
      "Run `ante order resume`. It repeats the order with the same key, so it is placed at most once.";
    return { exitCode: 3, error: { code, message, hint, idempotencyKey } };
  }
  if (thrown instanceof AnteError) return describeAnteError(thrown);
  if (thrown instanceof UsageError || thrown instanceof TypeError || isParseError(thrown)) {
    const hint = "Add --help to see how the command is used.";
    return { exitCode: 64, error: { code: "USAGE", message, hint } };
  }
  return { exitCode: 1, error: { code: "UNEXPECTED", message, hint: "Run `ante doctor`." } };
}

function describeAnteError(error: AnteError): Failure {
  const { code, message } = error;
  const requestId = "requestId" in error ? { requestId: error.requestId } : {};
  const build = (exitCode: ExitCode, hint: string): Failure => ({
    exitCode,
    error: { code, message, hint, ...requestId },
  });
  if (error instanceof AuthenticationError)
    return build(2, "Run `ante login` with a key that is valid and has the scope.");
  if (error instanceof LimitError)
    return build(4, "Run `ante key` to see each limit and what is left of it.");
  if (error instanceof UnavailableError || error instanceof NoResponseError)
    return build(6, "Try again. `ante doctor` checks the connection.");
  if (code === "OTHER_KEY")
    return build(3, "Set ANTE_URL and ANTE_API_KEY to what it was sent with, and resume again.");
  return build(1, "The service refused it, and nothing has changed.");
}

const isParseError = (thrown: unknown) =>
  thrown instanceof Error && "code" in thrown && String(thrown.code).startsWith("ERR_PARSE_ARGS");
