"use client";

import { useEffect, useState } from "react";
import { subscribeToTicketCommands } from "@/lib/client/ticket-commands";

/** From here on the ticket has a column of its own; the style sheet's "lg". */
const HAS_COLUMN = "(min-width: 1024px)";

/** Whether the ticket is open over the page: what is sent to it opens it where it has no column. */
export function useTicketSheet(isOffered: boolean): { isOpen: boolean; close: () => void } {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!isOffered) return;
    const column = matchMedia(HAS_COLUMN);
    const close = () => setIsOpen(false);
    const stop = subscribeToTicketCommands(() => setIsOpen(!column.matches));
    column.addEventListener("change", close);
    return () => {
      stop();
      column.removeEventListener("change", close);
    };
  }, [isOffered]);
  return { isOpen, close: () => setIsOpen(false) };
}
