/** Which pending delivery a webhook endpoint gets next. */
export interface DeliveryQueue {
  /** Whether the endpoint is active. Otherwise it gets none. */
  isActive: boolean;
  /** The one that all others wait for; null if none is pending, or they are sent in any order. */
  first: { id: string; seq: number } | null;
}
