/**
 * Keys, the order book and the command menu drive the ticket that is on the page through here. They
 * only fill it in: nothing but the ticket's own button places an order.
 */
export type TicketCommand =
  | { kind: "buy" | "sell" | "first" | "second" | "limit" | "market" | "focus" | "submit" }
  /** A row of the order book: its price, and the shares up to and including it, as on the wire. */
  | { kind: "take"; tokenId: string; price: number; shares: number };

const listeners = new Set<(command: TicketCommand) => void>();

/** @returns whether a ticket was there to take the command. */
export function sendToTicket(command: TicketCommand): boolean {
  for (const listener of listeners) listener(command);
  return listeners.size > 0;
}

export function subscribeToTicketCommands(listener: (command: TicketCommand) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
