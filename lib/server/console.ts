import "server-only";
import { errorFields, log } from "@/lib/log";

const MAX_LENGTH = 1000;

/**
 * Makes log lines of what libraries print. Next prints errors that nobody caught with all their
 * properties, which may hold anything; of these, as of ours, a line has the message and the stack.
 */
export function logConsole(): void {
  Object.assign(console, {
    debug: () => undefined,
    log: (...printed: unknown[]) => log.info("console", fieldsOf(printed)),
    info: (...printed: unknown[]) => log.info("console", fieldsOf(printed)),
    warn: (...printed: unknown[]) => log.warn("console", fieldsOf(printed)),
    error: (...printed: unknown[]) => log.error("console", fieldsOf(printed)),
  });
}

function fieldsOf(printed: readonly unknown[]): ReturnType<typeof errorFields> {
  const thrown = printed.find((value) => value instanceof Error);
  if (thrown) return errorFields(thrown);
  const texts = printed.filter((value) => typeof value === "string");
  return errorFields(texts.join(" ").slice(0, MAX_LENGTH));
}
