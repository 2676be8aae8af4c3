"use client";

import { useEffect } from "react";
import type { Ticket } from "@/lib/client/use-ticket";
import type { TicketForm } from "@/lib/domain/ticket/form";

type Draft = Pick<TicketForm, "amount" | "shares" | "price">;

/**
 * Keeps what was typed for as long as the browser's tab lives, by market: leaving the page, or a
 * session that ends, does not lose it.
 */
export function useDraft({ market, form, dispatch }: Ticket): void {
  const name = `ante-ticket:${market.id}`;
  useEffect(() => dispatch({ kind: "restore", ...readDraft(name) }), [name, dispatch]);
  const { amount, shares, price } = form;
  useEffect(() => writeDraft(name, { amount, shares, price }), [name, amount, shares, price]);
}

function readDraft(name: string): Draft {
  try {
    const kept = new Map<string, unknown>(
      Object.entries(JSON.parse(sessionStorage.getItem(name) ?? "{}")),
    );
    const text = (field: keyof Draft) => {
      const value = kept.get(field);
      return typeof value === "string" ? value : "";
    };
    return { amount: text("amount"), shares: text("shares"), price: text("price") };
  } catch {
    // Storage may be full, switched off or spoiled: then nothing is kept.
    return { amount: "", shares: "", price: "" };
  }
}

function writeDraft(name: string, draft: Draft): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // As above.
  }
}
