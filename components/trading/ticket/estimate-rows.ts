import { formatPercent, formatSignedMoney } from "@/components/format/numbers";
import { averageText, moneyText, priceText, sharesText } from "@/components/trading/ticket/wording";
import type { TicketOrder } from "@/lib/domain/ticket/context";
import type { Estimate } from "@/lib/domain/ticket/estimate";
import type { Projection } from "@/lib/domain/ticket/projection";
import { microToNumber, type Price } from "@/lib/units";

export interface EstimateRow {
  label: string;
  value: string;
  /** Money and shares are masked by "hide values"; prices are not. */
  isPrivate: boolean;
  isStrong?: boolean;
}

interface Subject {
  order: TicketOrder;
  estimate: Estimate;
  projection: Projection;
  tick: Price;
  /** Whether the market takes a fee at all. */
  hasFee: boolean;
}

/** What an order comes to, line by line (design reference 6.2). */
export function estimateRows(subject: Subject): EstimateRow[] {
  const { type, action } = subject.order;
  if (type === "market") return action === "BUY" ? marketBuy(subject) : marketSell(subject);
  return action === "BUY" ? limitBuy(subject) : limitSell(subject);
}

function marketBuy(subject: Subject): EstimateRow[] {
  const { estimate } = subject;
  return [
    averageRow(subject),
    figure("Est. shares", sharesText(estimate.filled)),
    strong("To win", moneyText(estimate.filled, "down")),
    profitRow("Est. profit if it wins", subject),
    ...feeRow(subject),
    worstRow(subject),
    ...unfilledRow(subject),
  ];
}

function marketSell(subject: Subject): EstimateRow[] {
  return [
    averageRow(subject),
    strong("You'll receive", moneyText(subject.projection.money, "down")),
    profitRow("Est. P&L vs your average", subject),
    ...feeRow(subject),
    worstRow(subject),
    ...unfilledRow(subject),
  ];
}

function limitBuy(subject: Subject): EstimateRow[] {
  const { projection } = subject;
  return [
    figure("Cost if filled, at most", moneyText(projection.bound, "up")),
    ...progressRows(subject),
    strong("To win", moneyText(projection.shares, "down")),
    profitRow("Profit if it wins", subject),
    ...feeRow(subject),
  ];
}

function limitSell(subject: Subject): EstimateRow[] {
  return [
    strong("You'll receive, at least", moneyText(subject.projection.bound, "down")),
    ...progressRows(subject),
    profitRow("P&L vs your average", subject),
    ...feeRow(subject),
  ];
}

function progressRows({ estimate, projection, tick }: Subject): EstimateRow[] {
  const now =
    estimate.average === null
      ? "0 shares"
      : `${sharesText(estimate.filled)} @ ${averageText(estimate.average, tick)}`;
  return [
    figure("Fills now", now),
    figure("Rests on book", `${sharesText(projection.resting)} shares`),
  ];
}

function averageRow({ estimate, tick }: Subject): EstimateRow {
  const { average } = estimate;
  const value = average === null ? "—" : averageText(average, tick);
  return { label: "Est. average", value, isPrivate: false };
}

function worstRow({ order, tick }: Subject): EstimateRow {
  return { label: "Worst price", value: priceText(order.limit, tick), isPrivate: false };
}

function profitRow(label: string, { projection }: Subject): EstimateRow {
  const { profit, profitPercent } = projection;
  if (profit === null) return figure(label, "—");
  const percent = profitPercent === null ? "" : ` (${formatPercent(microToNumber(profitPercent))})`;
  return figure(label, `${formatSignedMoney(microToNumber(profit))}${percent}`);
}

function feeRow({ hasFee, estimate }: Subject): EstimateRow[] {
  return hasFee ? [figure("Fee", moneyText(estimate.fee, "up"))] : [];
}

function unfilledRow({ estimate }: Subject): EstimateRow[] {
  if (estimate.isComplete) return [];
  const { left } = estimate;
  return [
    figure(
      "Unfilled",
      left.kind === "amount" ? moneyText(left.amount, "down") : `${sharesText(left.shares)} shares`,
    ),
  ];
}

const figure = (label: string, value: string): EstimateRow => ({ label, value, isPrivate: true });
const strong = (label: string, value: string): EstimateRow => ({
  ...figure(label, value),
  isStrong: true,
});
