import { formatPercent, formatSignedMoney } from "@/components/format/numbers";
import {
  formatAverage,
  formatMicroMoney,
  formatTickPrice,
  formatMicroShares,
} from "@/components/trading/ticket/wording";
import type { TicketOrder } from "@/lib/domain/ticket/context";
import type { Estimate } from "@/lib/domain/ticket/estimate";
import type { Projection } from "@/lib/domain/ticket/projection";
import { microToNumber, type Price } from "@/lib/units";

export interface EstimateRow {
  label: string;
  value: string;
  /** Whether "hide values" masks it: money and shares, but not prices. */
  isPrivate: boolean;
  isStrong?: boolean;
}

interface EstimateData {
  order: TicketOrder;
  estimate: Estimate;
  projection: Projection;
  tick: Price;
  /** Whether the market charges a fee. */
  hasFee: boolean;
}

/** Builds the rows of an order's estimate. */
export function buildEstimateRows(data: EstimateData): EstimateRow[] {
  const { type, action } = data.order;
  if (type === "market") {
    return action === "BUY" ? listMarketBuyRows(data) : listMarketSellRows(data);
  }
  return action === "BUY" ? listLimitBuyRows(data) : listLimitSellRows(data);
}

function listMarketBuyRows(data: EstimateData): EstimateRow[] {
  const { estimate } = data;
  return [
    averageRow(data),
    figure("Est. shares", formatMicroShares(estimate.filled)),
    strong("To win", formatMicroMoney(estimate.filled, "down")),
    profitRow("Est. profit if it wins", data),
    ...feeRow(data),
    worstRow(data),
    ...unfilledRow(data),
  ];
}

function listMarketSellRows(data: EstimateData): EstimateRow[] {
  return [
    averageRow(data),
    strong("You'll receive", formatMicroMoney(data.projection.money, "down")),
    profitRow("Est. P&L vs your average", data),
    ...feeRow(data),
    worstRow(data),
    ...unfilledRow(data),
  ];
}

function listLimitBuyRows(data: EstimateData): EstimateRow[] {
  const { projection } = data;
  return [
    figure("Maximum cost", formatMicroMoney(projection.bound, "up")),
    ...progressRows(data),
    strong("To win", formatMicroMoney(projection.shares, "down")),
    profitRow("Profit if it wins", data),
    ...feeRow(data),
  ];
}

function listLimitSellRows(data: EstimateData): EstimateRow[] {
  return [
    strong("You'll receive at least", formatMicroMoney(data.projection.bound, "down")),
    ...progressRows(data),
    profitRow("P&L vs your average", data),
    ...feeRow(data),
  ];
}

function progressRows({ estimate, projection, tick }: EstimateData): EstimateRow[] {
  const now =
    estimate.average === null
      ? "none"
      : `${formatMicroShares(estimate.filled)} @ ${formatAverage(estimate.average, tick)}`;
  return [
    figure("Fills now", now),
    figure("Stays open", `${formatMicroShares(projection.resting)} shares`),
  ];
}

function averageRow({ estimate, tick }: EstimateData): EstimateRow {
  const { average } = estimate;
  const value = average === null ? "—" : formatAverage(average, tick);
  return { label: "Est. average", value, isPrivate: false };
}

function worstRow({ order, tick }: EstimateData): EstimateRow {
  return { label: "Worst price", value: formatTickPrice(order.limit, tick), isPrivate: false };
}

function profitRow(label: string, { projection }: EstimateData): EstimateRow {
  const { profit, profitPercent } = projection;
  if (profit === null) return figure(label, "—");
  const percent = profitPercent === null ? "" : ` (${formatPercent(microToNumber(profitPercent))})`;
  return figure(label, `${formatSignedMoney(microToNumber(profit))}${percent}`);
}

function feeRow({ hasFee, estimate }: EstimateData): EstimateRow[] {
  return hasFee ? [figure("Fee", formatMicroMoney(estimate.fee, "up"))] : [];
}

function unfilledRow({ estimate }: EstimateData): EstimateRow[] {
  if (estimate.isComplete) return [];
  const { left } = estimate;
  return [
    figure(
      "Unfilled",
      left.kind === "amount"
        ? formatMicroMoney(left.amount, "down")
        : `${formatMicroShares(left.shares)} shares`,
    ),
  ];
}

const figure = (label: string, value: string): EstimateRow => ({ label, value, isPrivate: true });
const strong = (label: string, value: string): EstimateRow => ({
  ...figure(label, value),
  isStrong: true,
});
