"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";

/** The ticket on the page: the book beside it shows the outcome that it is for. */
interface TicketOnPage {
  tokenId: string;
  turnTo: (tokenId: string) => void;
}

let current: TicketOnPage | null = null;
const listeners = new Set<() => void>();

/** Turns the ticket on the page, if there is one, to another outcome; nothing opens or moves. */
export function turnTicket(tokenId: string): void {
  current?.turnTo(tokenId);
}

/** Says which token the ticket is for, for as long as it is on the page. */
export function useTicketOnPage(tokenId: string, turnTo: (tokenId: string) => void): void {
  const latest = useRef(turnTo);
  useEffect(() => {
    latest.current = turnTo;
  });
  useEffect(() => {
    const own = { tokenId, turnTo: (wanted: string) => latest.current(wanted) };
    change(own);
    return () => {
      // A ticket that took this one's place has said its own by then.
      if (current === own) change(null);
    };
  }, [tokenId]);
}

/** Null while no ticket is on the page, and on the server. */
export function useTicketToken(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => current?.tokenId ?? null,
    () => null,
  );
}

function change(ticket: TicketOnPage | null): void {
  current = ticket;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
