import type { TicketOrderInput } from "@/lib/schemas/ticket";

/**
 * An order that was sent and whose fate was not told yet. It outlives the page in its tab, so that a
 * reload in the middle does not lose what it was sent with: its key finds out what became of it.
 */
export interface PendingOrder {
  input: TicketOrderInput;
  /** In milliseconds since the epoch. */
  sentAt: number;
}

/** A ticket is one account's in one market. */
const nameOf = (ticketId: string) => `ante-sent:${ticketId}`;

export function keepPending(ticketId: string, pending: PendingOrder): void {
  try {
    sessionStorage.setItem(nameOf(ticketId), JSON.stringify(pending));
  } catch {
    // Storage may be full or switched off: then a reload finds nothing.
  }
}

/** Its fate was told. A later order that was sent meanwhile stays. */
export function dropPending(ticketId: string, idempotencyKey: string): void {
  if (findPending(ticketId)?.input.idempotencyKey !== idempotencyKey) return;
  try {
    sessionStorage.removeItem(nameOf(ticketId));
  } catch {
    // As above.
  }
}

/** The order of this market that was on its way when the page went; null when there is none. */
export function findPending(ticketId: string): PendingOrder | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(nameOf(ticketId)) ?? "null");
    return isPending(kept) ? kept : null;
  } catch {
    return null;
  }
}

/** Written by this page alone; the server checks an order that is sent again like any other. */
function isPending(kept: unknown): kept is PendingOrder {
  if (typeof kept !== "object" || kept === null) return false;
  if (!("input" in kept) || !("sentAt" in kept) || typeof kept.sentAt !== "number") return false;
  const { input } = kept;
  return (
    typeof input === "object" &&
    input !== null &&
    "idempotencyKey" in input &&
    typeof input.idempotencyKey === "string" &&
    input.idempotencyKey !== ""
  );
}
