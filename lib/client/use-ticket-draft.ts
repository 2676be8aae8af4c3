"use client";

import { useEffect } from "react";
import type { Ticket } from "@/lib/client/use-ticket";
import type { Draft } from "@/lib/domain/ticket/form";

/**
 * Keeps what was typed for as long as the browser's tab lives, by market: leaving the page, or a
 * session that ends, does not lose it.
 */
export function useDraft({ market, form, dispatch }: Ticket): void {
  const name = `ante-ticket:${market.id}`;
  useEffect(() => {
    const asked = new URLSearchParams(location.search);
    const draft = readDraft(name);
    // Whoever is in a field already would find the text under the caret exchanged.
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (draft && !isTyping) {
      dispatch({ kind: "restore", draft, isAskedFor: asked.has("side") || asked.has("type") });
    }
  }, [name, dispatch]);
  const { outcome, action, type, amount, shares, price } = form;
  useEffect(
    () => writeDraft(name, { outcome, action, type, amount, shares, price }),
    [name, outcome, action, type, amount, shares, price],
  );
}

function readDraft(name: string): Draft | null {
  try {
    const kept = new Map<string, unknown>(
      Object.entries(JSON.parse(sessionStorage.getItem(name) ?? "{}")),
    );
    const text = (field: keyof Draft) => {
      const value = kept.get(field);
      return typeof value === "string" ? value : "";
    };
    const [action, type] = [text("action"), text("type")];
    if (action !== "BUY" && action !== "SELL") return null;
    if (type !== "market" && type !== "limit") return null;
    const sizes = { amount: text("amount"), shares: text("shares"), price: text("price") };
    return { outcome: kept.get("outcome") === 1 ? 1 : 0, action, type, ...sizes };
  } catch {
    // Storage may be full, switched off or spoiled: then nothing is kept.
    return null;
  }
}

function writeDraft(name: string, draft: Draft): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // As above.
  }
}
