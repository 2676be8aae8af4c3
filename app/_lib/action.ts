import "server-only";
import { getDisplay } from "@/app/_lib/display-settings";
import { formatRefusal } from "@/components/format/format-refusal";
import type { ActionState } from "@/components/ui/action-form";
import { readKeptValues } from "@/lib/domain/form-values";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";

/**
 * Runs a mutation of the dashboard and converts a public error to the form's next state. Redirects
 * pass through.
 */
export async function runAction(form: FormData, work: () => Promise<string>): Promise<ActionState> {
  try {
    return { status: "done", message: await work() };
  } catch (error) {
    if (isRedirect(error)) throw error;
    const { code, message, field } = toAppError(error);
    const text = formatRefusal(message, await getDisplay());
    return { status: "failed", code, message: text, field, values: readKeptValues(form) };
  }
}

/** Returns a text field of a form, or an empty string. */
export function readText(form: FormData, name: string): string {
  const value = form.get(name);
  // Postgres can't store NUL, which typed text never contains.
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
