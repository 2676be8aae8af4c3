import "server-only";
import { log, type LogFields } from "@/lib/log";

/** Events of live orders that should never happen and that an operator must investigate. */
export const ORDER_ALARMS = {
  LATE_APPEARANCE: "an order that was reported as abandoned or rejected appeared at the venue",
  CLOSED_ORDER_STANDS: "an order that is closed here is open at the venue; it is being canceled",
  TRADE_CONTRADICTS: "the venue's figures for a trade contradict each other; it is not recorded",
  UPSTREAM_BLOCKED: "a firewall in front of the venue rejects this service's orders",
} as const;
type OrderAlarm = keyof typeof ORDER_ALARMS;

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.order-alarms");
const holder = globalThis as typeof globalThis & { [HOLDER]?: Map<string, number> };

/** Returns how often each alarm was raised since the process started. */
export function countAlarms(): Map<string, number> {
  holder[HOLDER] ??= new Map();
  return holder[HOLDER];
}

/** Logs an alarm as an error, by its name, and counts it for the metrics. */
export function raiseAlarm(alarm: OrderAlarm, fields: LogFields): void {
  const counts = countAlarms();
  counts.set(alarm, (counts.get(alarm) ?? 0) + 1);
  log.error(alarm, { ...fields, error: ORDER_ALARMS[alarm] });
}
