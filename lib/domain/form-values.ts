const NEVER_KEPT = /password|current|secret|token|code|passkey/i;

/** Returns the texts of a form that a failure gives back: without passwords and codes. */
export function readKeptValues(form: FormData): Record<string, string> {
  const entries = [...form].filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && !entry[0].startsWith("$") && !NEVER_KEPT.test(entry[0]),
  );
  return Object.fromEntries(entries);
}
