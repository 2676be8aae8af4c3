import "server-only";
import { AppError } from "@/lib/errors";

const MAX_LENGTH = 200;

/** Returns the reason that the owner typed for a freeze, as a sentence. */
export function parseFreezeReason(typed: string): string {
  const reason = typed.trim().replaceAll(/\s+/g, " ");
  if (reason === "") return "You froze it in the dashboard.";
  if ([...reason].length > MAX_LENGTH) {
    const message = `A reason can have at most ${MAX_LENGTH} characters.`;
    throw new AppError("VALIDATION_ERROR", message, { field: "reason" });
  }
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
