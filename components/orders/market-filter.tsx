"use client";

import { FilterSelect } from "@/components/ui/filter-form";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";

interface Props {
  markets: OpenOrdersWire["markets"];
  /** The id of the market of the filter, or an empty text. */
  value: string;
}

/**
 * The filter of open orders by market. A client component: the list of orders has the same markets, and
 * React sends an object that two client components share only once.
 */
export function MarketFilter({ markets, value }: Props) {
  return (
    <FilterSelect
      label="Market"
      name="market"
      all="All markets"
      value={value}
      options={markets.map(({ id, title }) => ({ value: id, label: title }))}
    />
  );
}
