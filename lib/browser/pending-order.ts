import type { TicketOrderInput } from "@/lib/schemas/ticket";

/**
 * An order that was sent and whose outcome is still unknown. It is stored for the tab, so that the page
 * can look up the order by its idempotency key after a reload.
 */
export interface PendingOrder {
  input: TicketOrderInput;
  /** In milliseconds since the epoch. */
  sentAt: number;
}

interface TicketKey {
  mode: "paper" | "live";
  market: { id: string };
}

/** Identifies a ticket by its account and market. */
export const createTicketId = ({ mode, market }: TicketKey) => `${mode}/${market.id}`;

const toStorageKey = (ticketId: string) => `ante-sent:${ticketId}`;

export function storePending(ticketId: string, pending: PendingOrder): void {
  try {
    sessionStorage.setItem(toStorageKey(ticketId), JSON.stringify(pending));
  } catch {
    // Storage can be full or turned off. A reload then finds no order.
  }
}

/** Removes an order whose outcome is known. Keeps a later order that was sent meanwhile. */
export function dropPending(ticketId: string, idempotencyKey: string): void {
  if (findPending(ticketId)?.input.idempotencyKey !== idempotencyKey) return;
  try {
    sessionStorage.removeItem(toStorageKey(ticketId));
  } catch {
    // As above.
  }
}

/** Returns the order that was pending when the page was left, or null. */
export function findPending(ticketId: string): PendingOrder | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(toStorageKey(ticketId)) ?? "null");
    return isPending(stored) ? stored : null;
  } catch {
    return null;
  }
}

/** A shallow check: only this page writes the entry, and the server validates an order that is resent. */
function isPending(stored: unknown): stored is PendingOrder {
  if (typeof stored !== "object" || stored === null) return false;
  if (!("input" in stored) || !("sentAt" in stored) || typeof stored.sentAt !== "number") {
    return false;
  }
  const { input } = stored;
  return (
    typeof input === "object" &&
    input !== null &&
    "idempotencyKey" in input &&
    typeof input.idempotencyKey === "string" &&
    input.idempotencyKey !== ""
  );
}
