import "server-only";
import { errorFields, log } from "@/lib/log";

const MAX_LENGTH = 1000;

/**
 * Redirects `console` to the log. Next prints uncaught errors with all their properties, which can
 * contain secrets; a log line has only their message and stack.
 */
export function logConsole(): void {
  Object.assign(console, {
    debug: () => undefined,
    log: (...args: unknown[]) => log.info("console", toFields(args)),
    info: (...args: unknown[]) => log.info("console", toFields(args)),
    warn: (...args: unknown[]) => log.warn("console", toFields(args)),
    error: (...args: unknown[]) => log.error("console", toFields(args)),
  });
}

function toFields(args: readonly unknown[]): ReturnType<typeof errorFields> {
  const thrown = args.find((value) => value instanceof Error);
  if (thrown) return errorFields(thrown);
  const texts = args.filter((value) => typeof value === "string");
  return errorFields(texts.join(" ").slice(0, MAX_LENGTH));
}
