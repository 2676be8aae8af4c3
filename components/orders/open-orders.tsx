"use client";

import { type FormEvent, useRef, useState } from "react";
import { formatCount } from "@/components/format/numbers";
import { usePreferences } from "@/components/format/preferences";
import { CancelAllDialog, CancelFooter, type CancelScope } from "@/components/orders/cancel-all";
import type { CancelActions } from "@/components/orders/cancel-report";
import type { EditState } from "@/components/orders/edit-order-form";
import { groupByMarket, type OrderGroup } from "@/components/orders/group-orders";
import { OpenOrderCards } from "@/components/orders/open-order-cards";
import { CANCEL_FORM, HEADING_ID } from "@/components/orders/open-order-row";
import { OpenOrderTable } from "@/components/orders/open-order-table";
import { useCanceling } from "@/components/orders/use-canceling";
import { focusHeading, useEditing } from "@/components/orders/use-editing";
import { useOrderDrawer } from "@/components/orders/use-order-drawer";
import type { FormAction } from "@/components/ui/action-form";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import { ButtonLink } from "@/components/ui/button";
import type { Initial } from "@/lib/browser/use-live";
import {
  buildOpenOrdersUrl,
  type OpenOrdersAnswer,
  type OpenOrderWire,
  useOpenOrders,
} from "@/lib/browser/use-open-orders";

interface Props {
  initial: Initial<OpenOrdersAnswer>;
  /** The filters as a query string. */
  query: string;
  /** Whether the orders are listed by market. */
  isGrouped: boolean;
  /** The page's query string, to return to without JavaScript. */
  back: string;
  /** The market of the filter, or null. */
  market: string | null;
  /** The most orders that are listed. */
  rows: number;
  actions: CancelActions & { replaceInRow: FormAction<EditState> };
}

/** The live list of open orders, with buttons to edit one, and to cancel one, several or all. */
export function OpenOrders({
  initial,
  query,
  isGrouped,
  back,
  market,
  rows: mostRows,
  actions,
}: Props) {
  const url = buildOpenOrdersUrl(`${query}${query === "" ? "" : "&"}rows=${mostRows}`);
  const live = useOpenOrders(url, initial, usePreferences().liveUpdates);
  const canceling = useCanceling(live);
  const editing = useEditing(live, actions.replaceInRow);
  const cancelOne = (id: string) => canceling.run([id], () => actions.cancelNow([id]));
  const { show: showDetails, drawer } = useOrderDrawer({
    edit: editing.start,
    cancel: cancelOne,
    canceling,
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<CancelScope | null>(null);
  const hasCanceled = useRef(false);
  const { orders, totals, isCut, markets } = live.data;
  const selected = orders.filter(({ id, isLive }) => isLive && chosen.has(id)).map(({ id }) => id);
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen((before) => {
      const others = [...before].filter((id) => !ids.includes(id));
      return new Set(isChosen ? [...others, ...ids] : others);
    });
  const cancel = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pressed = findPressedButton(event.nativeEvent);
    if (pressed?.name === "keep") return;
    const ids = pressed?.name === "one" ? [pressed.value] : selected;
    if (ids.length === 0) return;
    choose(ids, false);
    await canceling.run(ids, () => actions.cancelNow(ids));
  };
  const cancelAll = async ({ marketId }: CancelScope) => {
    const isMeant = (order: OpenOrderWire) =>
      order.isLive && (marketId === null || order.marketId === marketId);
    await canceling.run(
      orders.filter(isMeant).map(({ id }) => id),
      () => actions.cancelAllNow(marketId),
    );
    hasCanceled.current = true;
  };
  const stopAsking = () => {
    setAsked(null);
    // The closed dialog focuses the button that opened it, which goes with the canceled orders.
    if (hasCanceled.current) requestAnimationFrame(focusHeading);
  };
  const ask = (scope: CancelScope) => {
    hasCanceled.current = false;
    setAsked(scope);
  };
  const rows = {
    orders: editing.orders,
    groups: isGrouped ? groupByMarket(editing.orders, markets) : null,
    askToCancel: ({ marketId, title, totals: inMarket }: OrderGroup) =>
      ask({ marketId, title, totals: inMarket }),
    canceling,
    chosen: new Set(selected),
    choose,
    editing,
    showDetails,
  };
  return (
    <Card
      isFlush
      title={
        <span id={HEADING_ID} tabIndex={-1}>
          Open orders
        </span>
      }
    >
      {editing.orders.length === 0 ? (
        <NoOrders isFiltered={query !== ""} />
      ) : (
        <>
          <form id={CANCEL_FORM} action={actions.cancelAndReturn} onSubmit={cancel}>
            {/* Enter in a checkbox presses the form's first button. Without this one it would cancel the first order. */}
            <button type="submit" name="keep" value="all" hidden />
            <input type="hidden" name="back" value={back} />
          </form>
          <OpenOrderTable {...rows} />
          <OpenOrderCards {...rows} />
          <p className="border-t border-border px-3 py-2 text-small text-text-2 sm:px-4">
            The best price is the best offer for a buy, the best bid for a sell. Distance is from
            the limit to it. A full bar is about to fill, an empty one is 20¢ away or more.
          </p>
          {isCut && (
            <p className="border-t border-border px-4 py-3 text-small text-text-2">
              Showing the newest {formatCount(orders.length)}
              {query === "" && ` of ${formatCount(totals.count)}`} open orders. Use the filters to
              find older orders.
            </p>
          )}
          <CancelFooter
            market={market}
            selected={selected.length}
            totals={totals}
            onAsk={() => ask({ marketId: market, title: null, totals })}
          />
        </>
      )}
      <CancelAllDialog scope={asked} onClose={stopAsking} onCancelAll={cancelAll} />
      {drawer}
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
      No open orders match these filters.
    </EmptyState>
  );
}

/** Returns the button that was pressed; the button of an order is named "one". */
function findPressedButton(event: Event): HTMLButtonElement | null {
  const submitter = event instanceof SubmitEvent ? event.submitter : null;
  return submitter instanceof HTMLButtonElement ? submitter : null;
}
