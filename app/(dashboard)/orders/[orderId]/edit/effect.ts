import "server-only";
import type { z } from "zod";
import {
  buildDetails,
  buildTotals,
  type EstimateRow,
  figure,
  type OrderEstimate,
} from "@/components/trading/ticket/estimate-rows";
import { describeIssue, formatMicroMoney, formatMicroShares } from "@/components/trading/wording";
import type { Principal } from "@/lib/auth/principal";
import type { AccountPart } from "@/lib/domain/ticket/project-edit";
import { type EditTerms, projectOrderEdit } from "@/lib/orders/project-order-edit";
import type { EditEffect } from "@/lib/schemas/ticket";

/** Reads the market of an open order and what an edit does to the account, in the ticket's words. */
export async function readEditEffect(
  principal: Principal,
  orderId: string,
  terms: EditTerms | null,
): Promise<z.output<typeof EditEffect>> {
  const edit = await projectOrderEdit(principal, orderId, terms);
  const { action, filled, open, rules, bid, ask, now, projection } = edit;
  const issue = projection?.issues[0] ?? null;
  const after = projection && !issue ? projection.after : null;
  return {
    bid,
    ask,
    filled,
    open,
    rows: [
      ...(projection ? buildPayment(projection) : []),
      ...(projection ? buildDetails(projection, { rules, funds: null }) : []),
      ...buildChange(action, now, after),
    ],
    problem: issue && describeIssue(issue),
  };
}

/** The ticket's bold figure: "You pay: $70.55 incl. $0.86 fee". */
const buildPayment = (projection: OrderEstimate): EstimateRow[] =>
  buildTotals(projection)
    .slice(0, 1)
    .map(({ label, value, note }) => figure(label, `${value} ${note}`.trim()));

/** The account's figures now, and after the change unless that is null: "$998.80 → $999.20". */
function buildChange(
  action: "BUY" | "SELL",
  now: AccountPart,
  after: AccountPart | null,
): EstimateRow[] {
  const row = (label: string, name: keyof AccountPart, format: (micro: bigint) => string) => {
    const text = format(now[name]);
    return figure(label, after ? `${text} → ${format(after[name])}` : text);
  };
  const cash = row("Cash available", "cash", formatMicroMoney);
  return action === "BUY"
    ? [row("Reserved by this order", "reserved", formatMicroMoney), cash]
    : [
        row("Shares reserved by this order", "reservedShares", formatMicroShares),
        row("Free shares", "free", formatMicroShares),
        cash,
      ];
}
