/** The chart's ranges, as the API's intervals with labels. */
export const RANGES = [
  { range: "1h", label: "1H", period: "the last hour" },
  { range: "6h", label: "6H", period: "the last 6 hours" },
  { range: "1d", label: "1D", period: "the last day" },
  { range: "1w", label: "1W", period: "the last week" },
  { range: "1m", label: "1M", period: "the last month" },
  { range: "max", label: "All", period: "its full history" },
] as const;
