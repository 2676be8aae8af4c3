"use client";

import { useEffect } from "react";
import type { Ticket } from "@/lib/browser/use-ticket";
import { type Draft, encodeDraft, isExpiry } from "@/lib/domain/ticket/form";

/**
 * Stores the typed fields per market until the tab is closed, so that they survive leaving the page and
 * the end of the session. A buy follows the user from one market of an event to the next.
 */
export function useDraft({ market, form, dispatch }: Ticket): void {
  const { id, eventSlug } = market;
  const name = nameDraft(id);
  // The market of the event in which the user typed last.
  const lastName = `ante-ticket-event:${eventSlug}`;
  useEffect(() => {
    // Don't replace text under the caret.
    if (document.activeElement instanceof HTMLInputElement) return;
    const query = new URLSearchParams(location.search);
    const last = read(lastName);
    const other = last === null || last === id ? null : readDraft(nameDraft(last));
    if (other && !query.has("type")) dispatch({ kind: "adopt", draft: other });
    const draft = readDraft(name);
    if (draft) {
      dispatch({ kind: "restore", draft, isAskedFor: query.has("side") || query.has("type") });
    }
  }, [id, name, lastName, dispatch]);
  const text = encodeDraft(form);
  useEffect(() => {
    write(name, text);
    write(lastName, id);
  }, [id, name, lastName, text]);
}

const nameDraft = (marketId: string) => `ante-ticket:${marketId}`;

function readDraft(name: string): Draft | null {
  try {
    const stored = new Map<string, unknown>(Object.entries(JSON.parse(read(name) ?? "{}")));
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
    // The stored text can be corrupted.
    return null;
  }
}

function read(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    // Storage can be full or turned off.
    return null;
  }
}

function write(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // As above.
  }
}
