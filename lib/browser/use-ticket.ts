"use client";

import { type RefObject, useEffect, useMemo, useReducer, useRef } from "react";
import { flushSync } from "react-dom";
import type { z } from "zod";
import { useIsCutOff } from "@/lib/browser/freshness";
import { REFRESH } from "@/lib/browser/refresh";
import { subscribeToTicketCommands, type TicketCommand } from "@/lib/browser/ticket-commands";
import { type OrderBookWire, useBook } from "@/lib/browser/use-book";
import type { Initial, Live } from "@/lib/browser/use-live";
import { useBrowserValue } from "@/lib/browser/use-hydrated";
import { useTicketAccount } from "@/lib/browser/use-ticket-account";
import { assess, type Assessment } from "@/lib/domain/ticket/assess";
import { parseMicroNumber } from "@/lib/domain/ticket/book";
import type { TicketContext } from "@/lib/domain/ticket/context";
import { type FormEvent, reduceForm, type TicketForm } from "@/lib/domain/ticket/form";
import { findUnplaceable } from "@/lib/domain/ticket/issues";
import { project, type Projection } from "@/lib/domain/ticket/projection";
import { type TicketFacts, toContext } from "@/lib/domain/ticket/wire";
import type { Market } from "@/lib/schemas/markets";
import type { TradingSettings } from "@/lib/schemas/settings";
import type { TicketAccountWire } from "@/lib/schemas/ticket";
import { formatMicro, price, smaller } from "@/lib/units";

/** The server-rendered data of a ticket. */
export interface TicketData {
  /** Shown on every button that spends money. */
  mode: "paper" | "live";
  market: z.input<typeof Market>;
  /** The book of the market's first outcome. The second outcome's book mirrors it. */
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
  /** Null while the fields are no valid order, or without a book. */
  projection: Projection | null;
  book: Live<OrderBookWire>;
  account: Live<TicketAccountWire>;
}

interface Preferences {
  liveUpdates: "live" | "slow" | "paused";
  zone: string;
}

/** Returns the ticket's state: the typed fields, and their assessment at live prices and balances. */
export function useTicket(data: TicketData, { liveUpdates, zone }: Preferences): Ticket {
  const { mode, market, settings } = data;
  const [form, dispatch] = useReducer(reduceForm, data.form);
  const target = { marketId: market.id, tokenId: market.outcomes[0].tokenId };
  const book = useBook(target, data.book, liveUpdates);
  const account = useTicketAccount(market, data.account);
  const isBookDead = useIsOlder(book.at, REFRESH.book.deadMs);
  const now = useNow(data.book.at);
  const facts = useMemo<TicketFacts>(
    () => ({
      mode,
      market,
      book: book.data,
      isBookDead,
      account: account.data,
      protectionCents: settings.priceProtectionCents,
      zone,
      now,
    }),
    [mode, market, book.data, isBookDead, account.data, settings.priceProtectionCents, zone, now],
  );
  const context = useMemo(() => toContext(facts, form.outcome), [facts, form.outcome]);
  const isCutOff = useIsCutOff();
  const assessment = useMemo<Assessment>(() => {
    const assessed = assess(form, context);
    // Neither newer prices nor a limit order help without a connection.
    const canWait = assessed.block === "not_accepting" || assessed.block === "frozen";
    return isCutOff && !canWait ? { ...assessed, block: "cut_off" } : assessed;
  }, [form, context, isCutOff]);
  const { order, estimate, issues } = assessment;
  const isOrder = order && estimate && !findUnplaceable(issues);
  const projection = isOrder ? project(order, estimate, context) : null;
  return { mode, market, form, dispatch, facts, context, assessment, projection, book, account };
}

/** Lets shortcuts, the order book and the command menu fill in the ticket. */
export function useTicketCommands(
  ticket: Ticket,
  formRef: RefObject<HTMLFormElement | null>,
): void {
  const latest = useRef<(command: TicketCommand) => void>(() => {});
  useEffect(() => {
    latest.current = (command) => {
      if (command.kind === "take") ticket.dispatch(toTakeEvent(ticket, command));
      else if (command.kind === "sell-shares") fillSale(ticket, command);
      else if (command.kind === "fill") {
        // Another type of order has other fields.
        flushSync(() => fillOrder(ticket, command));
        focusIn(formRef.current, "input[type=text]");
      } else if (command.kind === "submit") formRef.current?.requestSubmit();
      else if (command.kind === "focus") focusIn(formRef.current, "input[type=text]");
      else if (command.kind === "size") focusSize(formRef);
      else {
        const { choice, key } = CHOICES[command.kind];
        ticket.dispatch({ kind: "choose", choice });
        // Not a text field, because the next key can be another shortcut.
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

/** A row selects the outcome of its book, whatever the ticket's outcome was. */
function toTakeEvent({ form, facts, market }: Ticket, row: TakenRow): FormEvent {
  const outcome = row.tokenId === market.outcomes[1].tokenId ? 1 : 0;
  const { funds } = toContext(facts, outcome);
  const size = parseMicroNumber(row.shares);
  const free = form.action === "SELL" && funds ? funds.free : size;
  const shares = formatMicro(smaller(size, free));
  return { kind: "take", outcome, price: price(parseMicroNumber(row.price)), shares };
}

type Sale = Extract<TicketCommand, { kind: "sell-shares" }>;

function fillSale({ dispatch, market }: Ticket, { tokenId, shares }: Sale): void {
  const outcome = tokenId === market.outcomes[1].tokenId ? 1 : 0;
  dispatch({ kind: "choose", choice: { outcome, action: "SELL", type: "market" } });
  dispatch({ kind: "type", field: "shares", text: formatMicro(parseMicroNumber(shares)) });
}

type Fill = Extract<TicketCommand, { kind: "fill" }>;

function fillOrder({ dispatch, market }: Ticket, { tokenId, form }: Fill): void {
  const outcome = tokenId === market.outcomes[1].tokenId ? 1 : 0;
  const { action, type, unit } = form;
  dispatch({ kind: "choose", choice: { outcome, action, type, unit } });
  for (const field of ["amount", "shares", "price"] as const)
    dispatch({ kind: "type", field, text: form[field] });
}

function focusIn(form: HTMLFormElement | null, selector: string): void {
  form?.querySelector<HTMLElement>(selector)?.focus();
}

/** Selects the size, so that typing replaces it. The side that was just chosen decides its field. */
function focusSize(formRef: RefObject<HTMLFormElement | null>): void {
  flushSync(() => {});
  formRef.current?.querySelector<HTMLInputElement>("[name=amount], [name=shares]")?.select();
}

const STEP_MS = 1_000;
/** Pages that depend on the time render again this often. */
const NOW_STEP_MS = 15_000;

/** Returns whether a time is further in the past than a limit. Always false on the server. */
function useIsOlder(at: number, limitMs: number): boolean {
  return useBrowserValue(
    everySecond,
    () => Date.now() - at > limitMs,
    () => false,
  );
}

/** Returns the time, rounded up to the next step; `initial` on the server and until hydration. */
function useNow(initial: number): number {
  return useBrowserValue(everySecond, getStep, () => initial);
}

const getStep = () => Math.ceil(Date.now() / NOW_STEP_MS) * NOW_STEP_MS;

function everySecond(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}
