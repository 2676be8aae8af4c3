"use client";

import { useEffect, useRef } from "react";
import { useBrowserValue } from "@/lib/browser/use-hydrated";

/** The ticket on the page. The book beside it shows the same outcome. */
interface TicketOnPage {
  tokenId: string;
  selectOutcome: (tokenId: string) => void;
}

let current: TicketOnPage | null = null;
const listeners = new Set<() => void>();

/** Switches the ticket on the page to another outcome, if there is a ticket. */
export function switchTicketOutcome(tokenId: string): void {
  current?.selectOutcome(tokenId);
}

/** Registers the ticket and its outcome while it is on the page. */
export function useTicketOnPage(tokenId: string, selectOutcome: (tokenId: string) => void): void {
  const latest = useRef(selectOutcome);
  useEffect(() => {
    latest.current = selectOutcome;
  });
  useEffect(() => {
    const ticket = { tokenId, selectOutcome: (other: string) => latest.current(other) };
    change(ticket);
    return () => {
      // Another ticket can have registered itself by then.
      if (current === ticket) change(null);
    };
  }, [tokenId]);
}

/** Returns the ticket's token; null without a ticket, and on the server. */
export function useTicketToken(): string | null {
  return useBrowserValue(
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
