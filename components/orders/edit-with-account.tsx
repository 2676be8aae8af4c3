"use client";

import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { MaskedText } from "@/components/format/masked-text";
import { formatShares } from "@/components/format/numbers";
import { usePreferences } from "@/components/format/preferences";
import { addExactly } from "@/components/format/sums";
import { Masked, Price as PriceText } from "@/components/format/values";
import {
  type EditedOrder,
  EditOrderForm,
  type EnteredTerms,
} from "@/components/orders/edit-order-form";
import { useDebounced } from "@/lib/browser/use-debounced";
import { type Initial, useLive } from "@/lib/browser/use-live";
import type { EditEffect } from "@/lib/schemas/ticket";
import { formatMicro } from "@/lib/units";

type EffectWire = z.input<typeof EditEffect>;

interface Props extends Omit<ComponentProps<typeof EditOrderForm>, "facts" | "onEnter"> {
  /** The market, and the account as it is. */
  effect: Initial<EffectWire>;
}

/** The form that edits an order, with the market's prices and what the change leaves of the account. */
export function EditWithAccount({ order, effect, formKey, started = null, ...form }: Props) {
  // The page is rendered again when the account changes, and repeats of a change need the same key.
  const [firstKey] = useState(formKey);
  const [entered, setEntered] = useState<EnteredTerms | null>(null);
  const { bid, ask, filled, open, rows, problem } = useEffectOf(order, entered, effect);
  const marketPrice = (order.action === "BUY" ? ask : bid).price;
  const { tickSize } = order;
  return (
    <EditOrderForm
      {...form}
      order={{ ...order, marketPrice }}
      formKey={started === null ? firstKey : formKey}
      started={started}
      onEnter={setEntered}
      facts={{
        market: (
          <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
            <Fact label="Best bid now">
              <Best {...bid} tickSize={tickSize} />
            </Fact>
            <Fact label="Best offer now">
              <Best {...ask} tickSize={tickSize} />
            </Fact>
            <Fact label="Filled">
              <Masked>
                {formatShares(filled)} of {formatShares(addExactly(filled, open))}
              </Masked>
            </Fact>
            <Fact label="Open">
              <Masked>{formatShares(open)}</Masked>
            </Fact>
          </dl>
        ),
        account: (
          <div className="rounded-control bg-surface-2 px-3 py-2.5">
            <dl className="flex flex-col gap-1">
              {rows.map(({ label, value, isPrivate }) => (
                <div key={label} className="flex items-baseline justify-between gap-3">
                  <dt className="text-text-2">{label}</dt>
                  <dd className="num text-right">{isPrivate ? <Masked>{value}</Masked> : value}</dd>
                </div>
              ))}
            </dl>
            {problem !== null && (
              <p className="mt-1.5 text-small text-danger">
                <MaskedText text={problem} />
              </p>
            )}
          </div>
        ),
      }}
    />
  );
}

/** Reads the effect of the entered terms, and again as the market moves. Without terms, the account as it is. */
function useEffectOf(
  { id }: EditedOrder,
  entered: EnteredTerms | null,
  initial: Initial<EffectWire>,
): EffectWire {
  const { liveUpdates } = usePreferences();
  const url = useDebounced(buildUrl(id, entered));
  const { data, refresh } = useLive("book", url, initial, liveUpdates);
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  const shownUrl = useRef(url);
  useEffect(() => {
    if (shownUrl.current === url) return;
    shownUrl.current = url;
    void latest.current();
  }, [url]);
  return data;
}

function buildUrl(orderId: string, entered: EnteredTerms | null): string {
  const query = new URLSearchParams({ id: orderId });
  if (entered !== null && entered.at !== null && entered.size !== null) {
    query.set("price", formatMicro(entered.at));
    query.set("shares", formatMicro(entered.size));
  }
  return `/api/ui/edit?${query}`;
}

interface BestProps {
  price: number | null;
  isOwn: boolean;
  tickSize: string;
}

function Best({ price, isOwn, tickSize }: BestProps) {
  return (
    <>
      <PriceText price={price} tickSize={tickSize} />
      {isOwn && <span className="font-normal text-text-2"> yours</span>}
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-small text-text-2">{label}</dt>
      <dd className="num font-[550]">{children}</dd>
    </div>
  );
}
