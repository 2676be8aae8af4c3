import { formatOrderPrice } from "@/components/format/numbers";
import { Shares } from "@/components/format/values";
import { sendToTicket } from "@/lib/browser/ticket-commands";
import type { Ticket } from "@/lib/browser/use-ticket";
import { findBestAsk, findBestBid } from "@/lib/domain/ticket/book";
import type { Choice } from "@/lib/domain/ticket/form";
import { complement, microToNumber, type Price } from "@/lib/units";
import type { MouseEvent, ReactNode } from "react";

/** Returns the URL of a choice, for browsers without JavaScript. */
export type BuildHref = (choice: Choice) => string;

interface Props {
  ticket: Ticket;
  buildHref: BuildHref;
}

/** The switches for side and order type. */
export function ModeSwitches({ ticket, buildHref }: Props) {
  const { form } = ticket;
  const item = createItems(ticket, buildHref);
  return (
    <div className="flex gap-2">
      <Segments
        label="Side"
        items={[
          {
            ...item({ action: "BUY" }, form.action === "BUY"),
            label: "Buy",
            shortcut: "b",
            tone: "up",
          },
          {
            ...item({ action: "SELL" }, form.action === "SELL"),
            label: "Sell",
            shortcut: "s",
            tone: "down",
          },
        ]}
      />
      <Segments
        label="Order type"
        items={[
          { ...item({ type: "market" }, form.type === "market"), label: "Market", shortcut: "m" },
          { ...item({ type: "limit" }, form.type === "limit"), label: "Limit", shortcut: "l" },
        ]}
      />
    </div>
  );
}

/** The switch between dollars and shares of a market buy. */
export function UnitSwitch({ ticket, buildHref }: Props) {
  const { unit } = ticket.form;
  const item = createItems(ticket, buildHref);
  return (
    <Segments
      label="Unit"
      isSmall
      items={[
        { ...item({ unit: "amount" }, unit === "amount"), label: "USD" },
        { ...item({ unit: "shares" }, unit === "shares"), label: "Shares" },
      ]}
    />
  );
}

function createItems({ dispatch }: Ticket, buildHref: BuildHref) {
  return (choice: Choice, isCurrent: boolean) => ({
    href: buildHref(choice),
    isCurrent,
    onChoose: () => dispatch({ kind: "choose", choice }),
  });
}

const TONES = [
  "aria-[current]:border-up aria-[current]:bg-[color-mix(in_oklab,var(--up)_12%,var(--surface))]",
  "aria-[current]:border-down aria-[current]:bg-[color-mix(in_oklab,var(--down)_12%,var(--surface))]",
] as const;

/** The two outcomes with their current prices. */
export function OutcomeButtons({ ticket, buildHref }: Props) {
  const { form, dispatch, market, context } = ticket;
  return (
    <div role="group" aria-label="Outcome" className="grid grid-cols-2 gap-2">
      {([0, 1] as const).map((outcome) => (
        <a
          key={outcome}
          data-quoted=""
          href={buildHref({ outcome })}
          aria-current={form.outcome === outcome ? "true" : undefined}
          aria-keyshortcuts={outcome === 0 ? "y" : "n"}
          onClick={(event) =>
            choose(event, () => dispatch({ kind: "choose", choice: { outcome } }))
          }
          className={`flex min-h-11 items-center justify-between gap-2 rounded-control border border-control px-3 py-1.5 font-[550] hover:bg-surface-2 aria-[current]:border-2 aria-[current]:px-[11px] ${TONES[outcome]}`}
        >
          <span className="min-w-0 break-words">{market.outcomes[outcome].name}</span>
          <span className="num min-w-[5ch] text-right">
            {formatOrderPrice(
              findQuote(ticket, outcome),
              context.book ? market.tickSize : undefined,
            )}
          </span>
        </a>
      ))}
      <p role="status" className="col-span-2 text-small text-text-2 empty:hidden">
        {form.isSwitched
          ? `Switched to ${market.outcomes[form.outcome].name}. The price now comes from its order book.`
          : ""}
      </p>
      <OppositeHolding ticket={ticket} buildHref={buildHref} />
    </div>
  );
}

/** Says that a buy can be a sale of the other outcome's shares, which the account holds. */
function OppositeHolding({ ticket, buildHref }: Props) {
  const { form, dispatch, market, account } = ticket;
  const choice = { outcome: form.outcome === 0 ? 1 : 0, action: "SELL" } as const;
  const { freeShares } = account.data.holdings[choice.outcome];
  if (form.action === "SELL" || freeShares === 0) return null;
  // The link disappears with the choice. The command moves the focus to the outcome.
  const sell = () => {
    dispatch({ kind: "choose", choice });
    sendToTicket({ kind: choice.outcome === 0 ? "first" : "second" });
  };
  return (
    <p className="col-span-2 text-small text-text-2">
      You hold <Shares shares={freeShares} /> {market.outcomes[choice.outcome].name}.{" "}
      <a href={buildHref(choice)} onClick={(event) => choose(event, sell)} className="link">
        Selling them
      </a>{" "}
      has the same effect and frees the money now.
    </p>
  );
}

/** Returns the best price for a buy or sell of an outcome. */
function findQuote({ form, context }: Ticket, outcome: 0 | 1): number | null {
  const { book } = context;
  if (!book) return null;
  const isBuy = form.action === "BUY";
  if (outcome === form.outcome)
    return toNumberOrNull(isBuy ? findBestAsk(book) : findBestBid(book));
  const opposite = isBuy ? findBestBid(book) : findBestAsk(book);
  return toNumberOrNull(opposite === null ? null : complement(opposite));
}

const toNumberOrNull = (at: Price | null) => (at === null ? null : microToNumber(at));

interface Segment {
  /** The page with this choice, for browsers without JavaScript. */
  href: string;
  label: ReactNode;
  isCurrent: boolean;
  onChoose: () => void;
  /** The shortcut, for assistive technology. */
  shortcut?: string;
  tone?: "up" | "down";
}

const CURRENT = {
  neutral: "border border-border bg-surface text-text",
  up: "bg-up text-on-ink",
  down: "bg-down text-on-ink",
} as const;

interface SegmentsProps {
  label: string;
  items: readonly Segment[];
  isSmall?: boolean;
}

/** A choice between two links, which also works without JavaScript. */
function Segments({ label, items, isSmall = false }: SegmentsProps) {
  return (
    <div
      role="group"
      aria-label={label}
      className={`flex rounded-control bg-surface-2 p-0.5 ${isSmall ? "text-small" : "flex-1"}`}
    >
      {items.map((item) => (
        <a
          key={item.href}
          href={item.href}
          aria-current={item.isCurrent ? "true" : undefined}
          aria-keyshortcuts={item.shortcut}
          onClick={(event) => choose(event, item.onChoose)}
          className={`inline-flex h-11 flex-1 items-center justify-center rounded-[6px] px-3 font-[550] ${isSmall ? "lg:h-6" : "lg:h-8"} ${item.isCurrent ? CURRENT[item.tone ?? "neutral"] : "text-text-2 hover:text-text"}`}
        >
          {item.label}
        </a>
      ))}
    </div>
  );
}

/** Handles a plain click. Clicks that open another tab are left to the browser. */
function choose(event: MouseEvent, onChoose: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  onChoose();
}
