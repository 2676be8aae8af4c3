import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";

export type OrderLineWire = OpenOrdersWire["orders"][number];

/** The props of the table and the cards of open orders. */
export interface OpenOrderRows {
  orders: readonly OrderLineWire[];
  canceling: { ids: ReadonlySet<string>; problems: ReadonlyMap<string, string> };
  chosen: ReadonlySet<string>;
  choose: (ids: readonly string[], isChosen: boolean) => void;
}
