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
import { findUnplaceable } from "@/lib/domain/ticket/issues";
import { type Projection, project } from "@/lib/domain/ticket/projection";
import { contextOf, type TicketFacts } from "@/lib/domain/ticket/wire";
import type { Market } from "@/lib/schemas/markets";
import type { TradingSettings } from "@/lib/schemas/settings";
import type { TicketAccountWire } from "@/lib/schemas/ticket";
import { formatMicro, price, smaller } from "@/lib/units";

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
  /** Null as long as the fields describe no order that a market takes, or there is no book. */
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
  const account = useTicketAccount(market, data.account);
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
  const { order, estimate, issues } = assessment;
  const isOrder = order && estimate && !findUnplaceable(issues);
  const projection = isOrder ? project(order, estimate, context.funds) : null;
  return { mode, market, form, dispatch, facts, context, assessment, projection, book, account };
}

/** Lets keys, the order book and the command menu fill in the ticket. */
export function useTicketCommands(
  ticket: Ticket,
  formRef: RefObject<HTMLFormElement | null>,
): void {
  const latest = useRef<(command: TicketCommand) => void>(() => {});
  useEffect(() => {
    latest.current = (command) => {
      if (command.kind === "take") ticket.dispatch(takeRow(ticket, command));
      else if (command.kind === "submit") formRef.current?.requestSubmit();
      else if (command.kind === "focus") focusIn(formRef.current, "input[type=text]");
      else {
        const { choice, key } = CHOICES[command.kind];
        ticket.dispatch({ kind: "choose", choice });
        // Never into a text field: the next letter is another choice.
        focusIn(formRef.current, `[aria-keyshortcuts="${key}"]`);
      }
    };
  }, [ticket, formRef]);
  useEffect(() => subscribeToTicketCommands((command) => latest.current(command)), []);
}

const CHOICES = {
  buy: { key: "b", choice: { action: "BUY" } },
  sell: { key: "s", choice: { action: "SELL" } },
  first: { key: "y", choice: { outcome: 0 } },
  second: { key: "n", choice: { outcome: 1 } },
  limit: { key: "l", choice: { type: "limit" } },
  market: { key: "m", choice: { type: "market" } },
} as const;

type TakenRow = Extract<TicketCommand, { kind: "take" }>;

/** A row of a book is an order for that book's outcome, whatever the ticket was for. */
function takeRow({ form, facts, market }: Ticket, row: TakenRow): FormEvent {
  const outcome = row.tokenId === market.outcomes[1].tokenId ? 1 : 0;
  const { funds } = contextOf(facts, outcome);
  const size = microOf(row.shares);
  const free = form.action === "SELL" && funds ? funds.free : size;
  const shares = formatMicro(smaller(size, free));
  return { kind: "take", outcome, price: price(microOf(row.price)), shares };
}

function focusIn(form: HTMLFormElement | null, selector: string): void {
  form?.querySelector<HTMLElement>(selector)?.focus();
}
