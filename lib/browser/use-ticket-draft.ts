"use client";

import { useEffect } from "react";
import type { Ticket } from "@/lib/browser/use-ticket";
import { type Draft, encodeDraft, isExpiry } from "@/lib/domain/ticket/form";

/**
 * Stores the typed fields per market until the tab is closed, so that they survive leaving the page and
 * the end of the session.
 */
export function useDraft({ market, form, dispatch }: Ticket): void {
  const name = `ante-ticket:${market.id}`;
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const draft = readDraft(name);
    // Don't replace text under the caret.
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (draft && !isTyping) {
      dispatch({ kind: "restore", draft, isAskedFor: query.has("side") || query.has("type") });
    }
  }, [name, dispatch]);
  const text = encodeDraft(form);
  useEffect(() => writeDraft(name, text), [name, text]);
}

function readDraft(name: string): Draft | null {
  try {
    const stored = new Map<string, unknown>(
      Object.entries(JSON.parse(sessionStorage.getItem(name) ?? "{}")),
    );
    const text = (field: keyof Draft) => {
      const value = stored.get(field);
      return typeof value === "string" ? value : "";
    };
    const [action, type, expiry] = [text("action"), text("type"), text("expiry")];
    if (action !== "BUY" && action !== "SELL") return null;
    if (type !== "market" && type !== "limit") return null;
    return {
      outcome: stored.get("outcome") === 1 ? 1 : 0,
      action,
      type,
      unit: text("unit") === "shares" ? "shares" : "amount",
      amount: text("amount"),
      shares: text("shares"),
      price: text("price"),
      expiry: isExpiry(expiry) ? expiry : "never",
      expires: text("expires"),
      postOnly: stored.get("postOnly") === true,
      fillOrKill: stored.get("fillOrKill") === true,
    };
  } catch {
    // Storage can be full, turned off or corrupted.
    return null;
  }
}

function writeDraft(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // As above.
  }
}
