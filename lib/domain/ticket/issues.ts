import type { TextField } from "@/lib/domain/ticket/form";
import type { Action } from "@/lib/domain/settlement";
import type { Price, Shares, Usdc } from "@/lib/units";

/** What is wrong with a ticket, as facts. `components/trading/ticket/wording.ts` says it in words. */
export type TicketIssue = { field: TextField | null; fix?: Fix } & (
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
);

/** A text that, put into a field, would solve the issue. */
export interface Fix {
  field: TextField;
  text: string;
}

/** What does not stand in the way of an order, but is to be known before it is placed. */
export type TicketWarning =
  | {
      kind: "partial";
      action: Action;
      fillable: Usdc | Shares;
      wanted: Usdc | Shares;
      limit: Price;
      fix: Fix;
    }
  | { kind: "impact"; action: Action; average: Price; impact: Price; isSevere: boolean }
  | { kind: "fills_now"; shares: Shares; average: Price }
  | { kind: "far_limit"; action: Action; distance: Price }
  | { kind: "allowance_unknown" };

/** Why no order can be placed, whatever the fields say. */
export type TicketBlock = "not_accepting" | "book_dead" | "balance_unknown";

/** What says that no such order can be: too small, or more than there is. Nothing is estimated then. */
export function findUnplaceable(issues: readonly TicketIssue[]): TicketIssue | null {
  return issues.find(({ kind }) => UNPLACEABLE.has(kind)) ?? null;
}

const UNPLACEABLE: ReadonlySet<TicketIssue["kind"]> = new Set([
  "below_min_shares",
  "below_min_buy",
  "crossing_below_min",
  "cash_short",
  "shares_short",
]);

/** Whether the user must see the review even if it is switched off. */
export function mustConfirm(warnings: readonly TicketWarning[]): boolean {
  return warnings.some(
    (warning) => warning.kind === "far_limit" || (warning.kind === "impact" && warning.isSevere),
  );
}
