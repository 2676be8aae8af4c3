import "server-only";
import { pino } from "pino";
import { env } from "@/lib/env";
import { withoutSecrets } from "@/lib/without-secrets";

/** The fields of a log line. There is no field for secrets, headers or bodies. */
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
  webhookId?: string;
  subscriptionId?: string;
  transactionId?: string;
  count?: number;
  error?: string;
  stack?: string;
}

/** The same names at run time, so that other fields are dropped even if the types let them pass. */
const FIELD_NAMES: Readonly<Record<keyof LogFields, true>> = {
  requestId: true,
  method: true,
  route: true,
  status: true,
  durationMs: true,
  code: true,
  userId: true,
  keyId: true,
  orderId: true,
  marketId: true,
  webhookId: true,
  subscriptionId: true,
  transactionId: true,
  count: true,
  error: true,
  stack: true,
};

/** Every name in a line: those of the logger and the fields. */
export const LOG_NAMES: readonly string[] = ["level", "time", "msg", ...Object.keys(FIELD_NAMES)];

let root: ReturnType<typeof pino> | undefined;

const options = () => ({
  level: env().LOG_LEVEL,
  base: null,
  formatters: { log: keepAllowed },
});

let isStandardOutputTaken = false;

/** Sends log lines to standard error, for commands that print their result. */
export function logToStandardError(): void {
  isStandardOutputTaken = true;
  root = undefined;
}

function logger() {
  root ??= isStandardOutputTaken
    ? pino(options(), pino.destination({ dest: 2, sync: true }))
    : pino(options());
  return root;
}

function keepAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => Object.hasOwn(FIELD_NAMES, name)),
  );
}

export const log = {
  info: (event: string, fields: LogFields = {}) => logger().info(fields, event),
  warn: (event: string, fields: LogFields = {}) => logger().warn(fields, event),
  error: (event: string, fields: LogFields = {}) => logger().error(fields, event),
};

/** Returns the log fields of a thrown value: its message and stack, not its properties. */
export function errorFields(thrown: unknown): Pick<LogFields, "error" | "stack"> {
  if (!(thrown instanceof Error)) return { error: withoutSecrets(String(thrown)) };
  const cause = thrown.cause instanceof Error ? `: ${errorFields(thrown.cause).error}` : "";
  return {
    error: withoutSecrets(`${thrown.message}${cause}`),
    ...(thrown.stack ? { stack: withoutSecrets(thrown.stack) } : {}),
  };
}
