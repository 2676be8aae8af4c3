import {
  formatMoney,
  formatPercent,
  formatSignedMoney,
  NOTHING,
} from "@/components/format/numbers";
import { formatAfter, showNeed } from "@/components/format/sums";
import {
  formatAverage,
  formatMicroMoney,
  formatMicroShares,
  formatTickPrice,
} from "@/components/trading/wording";
import type { BuilderFees } from "@/lib/domain/fees";
import type { Action } from "@/lib/domain/settlement";
import type { TicketContext, TicketFunds, TicketOrder } from "@/lib/domain/ticket/context";
import type { Estimate } from "@/lib/domain/ticket/estimate";
import { computeSharesAfter, type Projection } from "@/lib/domain/ticket/projection";
import { microToNumber, type Usdc } from "@/lib/units";

export interface EstimateRow {
  label: string;
  value: string;
  /** Whether "hide values" masks it: money and shares, but not prices. */
  isPrivate: boolean;
}

/** A line of the totals, with a short explanation such as "incl. $6.10 fee". */
export interface TotalRow {
  label: string;
  value: string;
  note: string;
}

/** A complete order with its result on the current book. */
export interface OrderEstimate {
  order: TicketOrder;
  estimate: Estimate;
  projection: Projection;
}

/** Builds the two lines that matter: what leaves the account, and what can come back. */
export function buildTotals({ order, estimate, projection }: OrderEstimate): TotalRow[] {
  const { fee } = estimate;
  const value = formatMicroMoney(projection.money);
  const feeText = formatMicroMoney(fee);
  const isBuy = order.action === "BUY";
  const notes = [
    ...(fee === 0n ? [] : [isBuy ? `incl. ${feeText} fee` : `after ${feeText} fee`]),
    ...(projection.resting === 0n ? [] : ["once filled"]),
  ];
  const first = { label: LABELS[order.action][0], value, note: notes.join(", ") };
  return [first, ...(isBuy ? [winRow(projection)] : profitRows(projection))];
}

const LABELS = { BUY: ["You pay", "To win"], SELL: ["You receive", "Profit"] } as const;

/** Lists the lines of `buildTotals` before there is an order. */
export const listEmptyTotals = (action: Action): TotalRow[] =>
  LABELS[action].map((label) => ({ label, value: NOTHING, note: "" }));

/** A winning share pays one dollar. */
function winRow({ shares, profitPercent }: Projection): TotalRow {
  return {
    label: LABELS.BUY[1],
    value: formatMicroMoney(shares),
    note: profitPercent === null ? "" : formatPercent(microToNumber(profitPercent)),
  };
}

function profitRows({ profit, profitPercent }: Projection): TotalRow[] {
  if (profit === null) return [];
  const percent = profitPercent === null ? "" : `${formatPercent(microToNumber(profitPercent))} `;
  return [
    {
      label: profit < 0n ? "Loss" : LABELS.SELL[1],
      value: formatSignedMoney(microToNumber(profit)),
      note: `${percent}vs your average, before buying fees`,
    },
  ];
}

/** Builds the details of an order's estimate. */
export function buildDetails(
  { order, estimate, projection }: OrderEstimate,
  { rules, funds }: Pick<TicketContext, "rules" | "funds">,
): EstimateRow[] {
  const { tick, feeRate, builderFees } = rules;
  const { filled, average, impact, fee, builderFee } = estimate;
  const rows: EstimateRow[] = [];
  if (order.type === "limit") {
    const now =
      average === null ? "none" : `${formatMicroShares(filled)} at ${formatAverage(average, tick)}`;
    rows.push(
      figure("Fills now", now),
      figure("Stays open", `${formatMicroShares(projection.resting)} shares`),
      order.action === "BUY"
        ? figure("Maximum cost", formatNeed(projection.bound, funds))
        : figure("You receive at least", formatMicroMoney(projection.bound, "down")),
    );
  } else {
    rows.push(
      figure("Shares", formatMicroShares(filled)),
      priceRow("Average price", average === null ? "—" : formatAverage(average, tick)),
      priceRow("Worst price", formatTickPrice(order.limit, tick)),
    );
    if (impact > 0n) rows.push(priceRow("Price impact", formatAverage(impact, tick)));
    rows.push(...unfilledRow(estimate));
  }
  if (feeRate > 0n || builderFees) rows.push(figure("Fee", formatMicroMoney(fee)));
  if (builderFees && builderFee !== null) {
    const money = formatMicroMoney(builderFee);
    const rates = formatBuilderRates(builderFees, order.type);
    rows.push(figure("Service fee, included", `${money} (${rates})`));
  }
  if (funds === null) return rows;
  const change = microToNumber(order.action === "BUY" ? -projection.money : projection.money);
  const cash = formatMicroMoney(funds.available);
  // Matches the total that is shown above.
  const cashAfter = formatAfter(microToNumber(funds.available), change);
  const sharesAfter = formatMicroShares(computeSharesAfter(order, projection, funds));
  return [
    ...rows,
    figure("Cash", `${cash} → ${cashAfter}`),
    figure("Shares held", `${formatMicroShares(funds.free)} → ${sharesAfter}`),
  ];
}

/** Formats what a buy reserves at most. */
function formatNeed(bound: Usdc, funds: TicketFunds | null): string {
  const available = funds && microToNumber(funds.available);
  return formatMoney(showNeed(microToNumber(bound), available));
}

/** Writes the rates of both roles if they differ: a resting order pays the maker's when it fills. */
function formatBuilderRates(
  { takerBps, makerBps }: BuilderFees,
  type: TicketOrder["type"],
): string {
  const percent = (bps: bigint) => `${Number(bps) / 100}%`;
  return type === "market" || takerBps === makerBps
    ? percent(takerBps)
    : `${percent(takerBps)} now, ${percent(makerBps)} if it fills later`;
}

function unfilledRow({ isComplete, left }: Estimate): EstimateRow[] {
  if (isComplete) return [];
  return [
    figure(
      "Unfilled",
      left.kind === "amount"
        ? formatMicroMoney(left.amount, "down")
        : `${formatMicroShares(left.shares)} shares`,
    ),
  ];
}

export const figure = (label: string, value: string): EstimateRow => ({
  label,
  value,
  isPrivate: true,
});
const priceRow = (label: string, value: string): EstimateRow => ({
  label,
  value,
  isPrivate: false,
});
