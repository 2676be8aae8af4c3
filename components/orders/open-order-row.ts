import type { OpenOrderBoardWire } from "@/lib/client/use-open-orders";

export type OrderLineWire = OpenOrderBoardWire["orders"][number];

/** What the table and the cards of open orders are made from. */
export interface OpenOrderRows {
  orders: readonly OrderLineWire[];
  canceling: { ids: ReadonlySet<string>; problems: ReadonlyMap<string, string> };
  chosen: ReadonlySet<string>;
  choose: (ids: readonly string[], isChosen: boolean) => void;
}
