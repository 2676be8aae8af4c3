"use client";

import { type RefObject, useEffect, useMemo, useReducer, useRef } from "react";
import type { z } from "zod";
import { REFRESH } from "@/lib/client/refresh";
import { subscribeToTicketCommands, type TicketCommand } from "@/lib/client/ticket-commands";
import { useIsOlder } from "@/lib/client/use-age";
import { type OrderBookWire, useBook } from "@/lib/client/use-book";
import type { Initial, Live } from "@/lib/client/use-live";
import { useTicketAccount } from "@/lib/client/use-ticket-account";
import { type Assessment, assess } from "@/lib/domain/ticket/assess";
import { microOf } from "@/lib/domain/ticket/book";
import type { TicketContext } from "@/lib/domain/ticket/context";
import { type FormEvent, reduceForm, type TicketForm } from "@/lib/domain/ticket/form";
import { type Projection, project } from "@/lib/domain/ticket/projection";
import { contextOf, type TicketFacts } from "@/lib/domain/ticket/wire";
import type { Market } from "@/lib/schemas/markets";
import type { TradingSettings } from "@/lib/schemas/settings";
import type { TicketAccountWire } from "@/lib/schemas/ticket";
import { complement, formatMicro, type Price, price, smaller } from "@/lib/units";

/** Everything a ticket starts from, as the server rendered it. */
export interface TicketData {
  /** Which money it is: shown on every button that spends it. */
  mode: "paper" | "live";
  market: z.input<typeof Market>;
  /** The book of the market's first outcome: the second one's is its mirror. */
  book: Initial<OrderBookWire>;
  account: Initial<TicketAccountWire>;
  settings: TradingSettings;
  form: TicketForm;
}

export interface Ticket {
  mode: TicketData["mode"];
  market: TicketData["market"];
  form: TicketForm;
  dispatch: (event: FormEvent) => void;
  facts: TicketFacts;
  context: TicketContext;
  assessment: Assessment;
  /** Null as long as the fields describe no order, or there is no book. */
  projection: Projection | null;
  book: Live<OrderBookWire>;
  account: Live<TicketAccountWire>;
}

/** The ticket's state: what is typed, and what live prices and balances make of it. */
export function useTicket(data: TicketData, pace: "live" | "slow" | "paused"): Ticket {
  const { mode, market, settings } = data;
  const [form, dispatch] = useReducer(reduceForm, data.form);
  const target = { marketId: market.id, tokenId: market.outcomes[0].tokenId };
  const book = useBook(target, data.book, pace);
  const account = useTicketAccount(market.id, data.account);
  const isBookDead = useIsOlder(book.at, REFRESH.book.deadMs);
  const facts = useMemo<TicketFacts>(
    () => ({
      market,
      book: book.data,
      isBookDead,
      account: account.data,
      protectionCents: settings.priceProtectionCents,
    }),
    [market, book.data, isBookDead, account.data, settings.priceProtectionCents],
  );
  const context = useMemo(() => contextOf(facts, form.outcome), [facts, form.outcome]);
  const assessment = useMemo(() => assess(form, context), [form, context]);
  const { order, estimate } = assessment;
  const projection = order && estimate ? project(order, estimate, context.funds) : null;
  return { mode, market, form, dispatch, facts, context, assessment, projection, book, account };
}

/** Lets keys, the order book and the command menu fill in the ticket. */
export function useTicketCommands(
  { form, dispatch, context, market }: Ticket,
  formRef: RefObject<HTMLFormElement | null>,
): void {
  const latest = useRef<(command: TicketCommand) => void>(() => {});
  useEffect(() => {
    latest.current = (command) => {
      if (command.kind === "take") {
        const own = priceFor(market.outcomes[form.outcome].tokenId, command);
        const size = microOf(command.shares);
        const free = form.action === "SELL" && context.funds ? context.funds.free : size;
        dispatch({ kind: "take", price: own, shares: formatMicro(smaller(size, free)) });
      } else if (command.kind === "submit") {
        formRef.current?.requestSubmit();
      } else {
        const choice = CHOICES[command.kind];
        if (choice) dispatch({ kind: "choose", choice });
        focusFirstField(formRef.current);
      }
    };
  }, [form, dispatch, context, market, formRef]);
  useEffect(() => subscribeToTicketCommands((command) => latest.current(command)), []);
}

const CHOICES = {
  buy: { action: "BUY" },
  sell: { action: "SELL" },
  first: { outcome: 0 },
  second: { outcome: 1 },
  limit: { type: "limit" },
  market: { type: "market" },
  focus: null,
} as const;

/** A row may be of the other outcome's book: its price is then one minus the row's. */
function priceFor(tokenId: string, row: { tokenId: string; price: number }): Price {
  const at = price(microOf(row.price));
  return row.tokenId === tokenId ? at : complement(at);
}

/** The fields may only be there after the next paint, when a choice has just changed them. */
function focusFirstField(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    form?.querySelector<HTMLInputElement>("input[type=text]")?.focus();
  });
}
