import type { EquityRange } from "@/lib/schemas/portfolio";

const ALL_TIME = { title: "All time", period: "since you opened the account" };

/** The ranges of the chart with their words. */
export const EQUITY_RANGES = [
  { range: "1d", label: "1D", title: "Last day", period: "over the last day" },
  { range: "1w", label: "1W", title: "Last 7 days", period: "over the last 7 days" },
  { range: "1m", label: "1M", title: "Last 30 days", period: "over the last 30 days" },
  { range: "all", label: "All", ...ALL_TIME },
] as const;

/** Returns the words of a curve's range: of all time if the account is younger than the range. */
export function getRange({ range, isWhole }: { range: EquityRange; isWhole: boolean }) {
  const found = EQUITY_RANGES.find((one) => one.range === range);
  return isWhole || !found ? ALL_TIME : found;
}
