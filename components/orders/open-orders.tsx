"use client";

import { type FormEvent, useState } from "react";
import { usePreferences } from "@/components/format/preferences";
import { CancelAll } from "@/components/orders/cancel-all";
import type { CancelActions } from "@/components/orders/cancel-report";
import { OpenOrderCards } from "@/components/orders/open-order-cards";
import { OpenOrderTable } from "@/components/orders/open-order-table";
import { useCanceling } from "@/components/orders/use-canceling";
import { Card } from "@/components/ui/card";
import { FreshnessDot } from "@/components/ui/freshness-dot";
import { StaleNote } from "@/components/ui/stale-note";
import { EmptyState } from "@/components/ui/states";
import { ButtonLink } from "@/components/ui/button";
import type { Initial } from "@/lib/client/use-live";
import {
  openOrdersUrl,
  type OpenOrderBoardWire,
  useOpenOrders,
} from "@/lib/client/use-open-orders";

interface Props {
  initial: Initial<OpenOrderBoardWire>;
  /** The filters, as they stand in the address. */
  query: string;
  /** The market whose orders are shown, if it is one only. */
  market: string | null;
  actions: CancelActions;
}

/** The open orders: live, and to be canceled one by one, several at once, or all. */
export function OpenOrders({ initial, query, market, actions }: Props) {
  const url = openOrdersUrl(query);
  const live = useOpenOrders(url, initial, usePreferences().liveUpdates);
  const canceling = useCanceling(live.refresh);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { orders, totals } = live.data;
  const selected = orders.filter(({ id, isLive }) => isLive && chosen.has(id)).map(({ id }) => id);
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen((before) => {
      const others = [...before].filter((id) => !ids.includes(id));
      return new Set(isChosen ? [...others, ...ids] : others);
    });
  const cancel = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const one = pressedOrder(event.nativeEvent);
    const ids = one === null ? selected : [one];
    if (ids.length === 0) return;
    choose(ids, false);
    await canceling.run(ids, () => actions.cancelNow(ids));
  };
  const cancelAll = () =>
    canceling.run(
      orders.filter((order) => order.isLive).map(({ id }) => id),
      () => actions.cancelAllNow(market),
    );
  const rows = { orders, canceling, chosen: new Set(selected), choose };
  return (
    <Card
      isFlush
      title="Open orders"
      actions={<FreshnessDot dataset="openOrders" at={live.at} hasError={live.error !== null} />}
    >
      <div className="px-3 pb-3 empty:hidden sm:px-4">
        <StaleNote live={live} />
      </div>
      {orders.length === 0 ? (
        <NoOrders isFiltered={query !== ""} />
      ) : (
        <form action={actions.cancelAndReturn} onSubmit={cancel}>
          <input type="hidden" name="back" value={query} />
          <OpenOrderTable {...rows} />
          <OpenOrderCards {...rows} />
          <CancelAll
            market={market}
            totals={totals}
            selected={selected.length}
            onCancelAll={cancelAll}
          />
        </form>
      )}
    </Card>
  );
}

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
        No open orders. Limit orders wait here until they fill.
      </EmptyState>
    );
  }
  return (
    <EmptyState action={<ButtonLink href="/orders">Clear filters</ButtonLink>}>
      No open order matches these filters.
    </EmptyState>
  );
}

/** The order whose own button was pressed; null when it was the one for all that are selected. */
function pressedOrder(event: Event): string | null {
  const submitter = event instanceof SubmitEvent ? event.submitter : null;
  return submitter instanceof HTMLButtonElement && submitter.name === "one"
    ? submitter.value
    : null;
}
