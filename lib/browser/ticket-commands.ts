import type { TicketForm } from "@/lib/domain/ticket/form";

/**
 * Commands from shortcuts, the order book and the command menu to the ticket on the page. They only
 * fill it in: an order is placed only with the ticket's own button.
 */
export type TicketCommand =
  | { kind: "buy" | "sell" | "first" | "second" | "limit" | "market" | "focus" | "size" | "submit" }
  /** A row of the order book: its price, and the shares up to and including it, as in the API. */
  | { kind: "take"; tokenId: string; price: number; shares: number }
  /** An order in words from the command menu. */
  | { kind: "fill"; tokenId: string; form: TicketForm }
  /** A market order that sells shares of an outcome, as in the API. */
  | { kind: "sell-shares"; tokenId: string; shares: number };

const listeners = new Set<(command: TicketCommand) => void>();

/** Sends a command to the ticket. Returns whether there is a ticket on the page. */
export function sendToTicket(command: TicketCommand): boolean {
  for (const listener of listeners) listener(command);
  return listeners.size > 0;
}

export function subscribeToTicketCommands(listener: (command: TicketCommand) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
