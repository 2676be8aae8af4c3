import "server-only";
import { AppError, type ErrorCode } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";

/** What a form shows after its action: nothing yet, done, or what was wrong, with what was typed. */
export type ActionState =
  | { status: "idle" }
  | { status: "done"; message: string }
  | {
      status: "failed";
      code: ErrorCode;
      message: string;
      /** Name of the field the message belongs under. */
      field: string | null;
      /** What was typed, by field, so that the form keeps it. Never a password. */
      values: Record<string, string>;
    };

const NEVER_KEPT = /password|current|secret/i;

/**
 * Runs a mutation of the dashboard and turns what the caller may know of a failure into the form's
 * next state. Redirects pass through.
 */
export async function runAction(form: FormData, work: () => Promise<string>): Promise<ActionState> {
  try {
    return { status: "done", message: await work() };
  } catch (error) {
    if (isRedirect(error)) throw error;
    const { code, message, field } = toAppError(error);
    return { status: "failed", code, message, field, values: keptValues(form) };
  }
}

/** A text field of a form; absent counts as empty. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  // Postgres cannot store NUL, and nothing that a person types holds one.
  return typeof value === "string" ? value.replaceAll("\0", "") : "";
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  log.error("action failed", errorFields(error));
  return new AppError("INTERNAL_ERROR", "Something went wrong on our side. Try again.");
}

function isRedirect(error: unknown): boolean {
  return (
    error instanceof Error &&
    "digest" in error &&
    typeof error.digest === "string" &&
    error.digest.startsWith("NEXT_")
  );
}

function keptValues(form: FormData): Record<string, string> {
  const entries = [...form].filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && !entry[0].startsWith("$") && !NEVER_KEPT.test(entry[0]),
  );
  return Object.fromEntries(entries);
}
