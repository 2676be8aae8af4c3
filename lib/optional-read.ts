import "server-only";
import { errorFields, log } from "@/lib/log";

const MAX_WAIT_MS = 1_000;

/**
 * Reads data that a page can do without. Returns `fallback` if the read takes longer than a second or
 * fails; a failure is logged.
 *
 * @param event the log line of a failure.
 */
export async function readOptional<T>(
  event: string,
  fallback: T,
  read: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(fallback), MAX_WAIT_MS);
  });
  const reading = read().catch((error: unknown) => {
    log.warn(event, errorFields(error));
    return fallback;
  });
  const value = await Promise.race([reading, late]);
  clearTimeout(timer);
  return value;
}
