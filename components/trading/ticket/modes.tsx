import { choose, Segments } from "@/components/trading/ticket/segments";
import { formatPrice } from "@/components/format/numbers";
import type { Ticket } from "@/lib/client/use-ticket";
import { bestAsk, bestBid } from "@/lib/domain/ticket/book";
import type { TicketForm } from "@/lib/domain/ticket/form";
import { complement, microToNumber, type Price } from "@/lib/units";

/** Where a choice leads without JavaScript. */
export type HrefOf = (choice: Partial<Pick<TicketForm, "outcome" | "action" | "type">>) => string;

interface Props {
  ticket: Ticket;
  hrefOf: HrefOf;
}

/** Buy or sell, at the market or at a limit. */
export function ModeSwitches({ ticket, hrefOf }: Props) {
  const { form, dispatch } = ticket;
  const item = <C extends Parameters<HrefOf>[0]>(choice: C, isCurrent: boolean) => ({
    href: hrefOf(choice),
    isCurrent,
    onChoose: () => dispatch({ kind: "choose", choice }),
  });
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

const TONES = [
  "aria-[current]:border-up aria-[current]:bg-[color-mix(in_oklab,var(--up)_12%,var(--surface))]",
  "aria-[current]:border-down aria-[current]:bg-[color-mix(in_oklab,var(--down)_12%,var(--surface))]",
] as const;

/** The two outcomes with what they cost now, or bring. */
export function OutcomeButtons({ ticket, hrefOf }: Props) {
  const { form, dispatch, market, context } = ticket;
  return (
    <div role="group" aria-label="Outcome" className="grid grid-cols-2 gap-2">
      {([0, 1] as const).map((outcome) => (
        <a
          key={outcome}
          href={hrefOf({ outcome })}
          aria-current={form.outcome === outcome ? "true" : undefined}
          aria-keyshortcuts={outcome === 0 ? "y" : "n"}
          onClick={(event) =>
            choose(event, () => dispatch({ kind: "choose", choice: { outcome } }))
          }
          className={`flex min-h-11 items-center justify-between gap-2 rounded-control border border-control px-3 py-1.5 font-[550] hover:bg-surface-2 aria-[current]:border-2 aria-[current]:px-[11px] ${TONES[outcome]}`}
        >
          <span className="min-w-0 break-words">{market.outcomes[outcome].name}</span>
          <span className="num min-w-[5ch] text-right">
            {formatPrice(quoteOf(ticket, outcome), context.book ? market.tickSize : undefined)}
          </span>
        </a>
      ))}
      <p role="status" className="col-span-2 text-small text-text-2 empty:hidden">
        {form.isTurned
          ? `Now for ${market.outcomes[form.outcome].name}: the price is from its order book.`
          : ""}
      </p>
    </div>
  );
}

/** What a buyer of an outcome pays at best now, or a seller gets. */
function quoteOf({ form, context }: Ticket, outcome: 0 | 1): number | null {
  const { book } = context;
  if (!book) return null;
  const isBuy = form.action === "BUY";
  if (outcome === form.outcome) return numberOf(isBuy ? bestAsk(book) : bestBid(book));
  const opposite = isBuy ? bestBid(book) : bestAsk(book);
  return numberOf(opposite === null ? null : complement(opposite));
}

const numberOf = (at: Price | null) => (at === null ? null : microToNumber(at));
