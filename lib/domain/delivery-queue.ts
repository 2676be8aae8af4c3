/** Which pending delivery a webhook endpoint gets next. */
export interface DeliveryQueue {
  /** Whether the endpoint is active. Otherwise it gets none. */
  isActive: boolean;
  /** The one that all others wait for; null if none is pending, or they are sent in any order. */
  first: { id: string; seq: number; nextAttemptAt: string } | null;
}

/** Returns when the next of these deliveries can change; null if none of them is sent again. */
export function findNextAttempt(
  { isActive, first }: DeliveryQueue,
  deliveries: readonly { nextAttemptAt: string | null }[],
): string | null {
  if (!isActive) return null;
  const [next = null] = deliveries.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).toSorted();
  return next === null ? null : (first?.nextAttemptAt ?? next);
}
