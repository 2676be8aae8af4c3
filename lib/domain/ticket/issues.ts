import type { TextField, TicketField } from "@/lib/domain/ticket/form";
import type { Action } from "@/lib/domain/settlement";
import type { OwnOrder } from "@/lib/domain/ticket/book";
import type { Price, Shares, Usdc } from "@/lib/units";

/** A problem of a ticket, as data. `components/trading/wording.ts` has the texts. */
export type TicketIssue = { field: TicketField | null; fix?: Fix } & (
  | { kind: "size_missing"; field: TextField }
  | { kind: "not_a_number" }
  | { kind: "too_large"; field: TextField; most: bigint }
  | { kind: "price_missing" }
  | { kind: "price_fraction"; meant: Price }
  | { kind: "price_outside"; tick: Price }
  | { kind: "price_off_grid"; tick: Price; below: Price; above: Price }
  | { kind: "below_min_shares"; minimum: Shares }
  | { kind: "below_min_buy"; minimum: Usdc }
  | { kind: "crossing_below_min"; minimum: Usdc }
  | { kind: "cash_short"; available: Usdc; needed: Usdc }
  | { kind: "shares_short"; free: Shares; reserved: Shares }
  | { kind: "allowance_short" }
  | { kind: "too_precise" }
  | { kind: "no_liquidity"; action: Action }
  /** The server's refusal of the order that was sent. */
  | { kind: "refused"; text: string }
  | { kind: "expiry_missing" }
  | { kind: "expiry_too_soon"; minLifeMs: number }
  /** A post-only order that would fill immediately. */
  | { kind: "would_trade"; field: "postOnly"; action: Action }
  /** A fill-or-kill order that the book can fill only in part. */
  | ({ kind: "not_in_full"; field: "fillOrKill" } & PartialFill)
);

/** A text for a field that would solve the issue. */
export interface Fix {
  field: TextField;
  text: string;
}

/** How much of a market order lies within its worst price. */
export interface PartialFill {
  action: Action;
  fillable: Usdc | Shares;
  requested: Usdc | Shares;
  limit: Price;
  fix: Fix;
}

/** A warning doesn't prevent the order, but the user must see it first. */
export type TicketWarning =
  | ({ kind: "partial" } & PartialFill)
  | { kind: "impact"; action: Action; average: Price; impact: Price; isSevere: boolean }
  | { kind: "fills_now"; shares: Shares; average: Price }
  | { kind: "far_limit"; action: Action; distance: Price }
  | { kind: "cancels_own"; orders: readonly OwnOrder[] }
  | { kind: "allowance_unknown" };

/** The reason why no order can be placed, independent of the fields. */
export type TicketBlock = "not_accepting" | "frozen" | "cut_off" | "book_dead" | "balance_unknown";

/** Returns the first issue for which the order would be rejected. The ticket then shows no estimate. */
export function findUnplaceable(issues: readonly TicketIssue[]): TicketIssue | null {
  return issues.find(({ kind }) => UNPLACEABLE.has(kind)) ?? null;
}

const UNPLACEABLE: ReadonlySet<TicketIssue["kind"]> = new Set([
  "below_min_shares",
  "below_min_buy",
  "crossing_below_min",
  "cash_short",
  "shares_short",
  "would_trade",
  "not_in_full",
]);
