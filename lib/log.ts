import "server-only";
import { pino } from "pino";
import { env } from "@/lib/env";

/** The only things a log line may hold. No secret, header or request body has a name here. */
export interface LogFields {
  requestId?: string;
  method?: string;
  /** The route's template, never the raw path. */
  route?: string;
  status?: number;
  durationMs?: number;
  code?: string;
  userId?: string;
  keyId?: string | null;
  orderId?: string;
  marketId?: string;
  count?: number;
  error?: string;
  stack?: string;
}

let root: ReturnType<typeof pino> | undefined;

function logger() {
  root ??= pino({ level: env().LOG_LEVEL, base: null });
  return root;
}

export const log = {
  info: (event: string, fields: LogFields = {}) => logger().info(fields, event),
  warn: (event: string, fields: LogFields = {}) => logger().warn(fields, event),
  error: (event: string, fields: LogFields = {}) => logger().error(fields, event),
};

/**
 * The allowed fields of a thrown value: its message and stack, not its properties. A failed query
 * carries its parameters in its message, which may hold anything, so only its cause is told.
 */
export function errorFields(thrown: unknown): Pick<LogFields, "error" | "stack"> {
  if (!(thrown instanceof Error)) return { error: String(thrown) };
  if ("params" in thrown) return errorFields(thrown.cause ?? "a query failed");
  const cause = thrown.cause instanceof Error ? `: ${errorFields(thrown.cause).error}` : "";
  return { error: `${thrown.message}${cause}`, ...(thrown.stack ? { stack: thrown.stack } : {}) };
}
