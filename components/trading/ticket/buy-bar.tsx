"use client";

import { OutcomeLinks } from "@/components/markets/outcome-links";
import { useOutcomeBooks } from "@/components/trading/order-book/own-market";
import { sendToTicket } from "@/lib/browser/ticket-commands";
import { findBestAsk } from "@/lib/domain/ticket/book";
import { microToNumber } from "@/lib/units";

interface Props {
  slug: string;
  title: string;
  tickSize: string;
  outcomes: readonly { name: string; tokenId: string }[];
}

/** The buy buttons above the tab bar of a phone, with other users' prices. They open the ticket. */
export function BuyBar({ slug, title, tickSize, outcomes }: Props) {
  const readBook = useOutcomeBooks();
  const findAsk = (tokenId: string, name: string) => {
    const ask = findBestAsk(readBook(tokenId, name));
    return ask === null ? null : microToNumber(ask);
  };
  return (
    <div
      id="buy-bar"
      data-bar=""
      tabIndex={-1}
      className="fixed inset-x-0 bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-20 border-t border-border bg-surface px-4 py-2 lg:hidden"
    >
      <OutcomeLinks
        slug={slug}
        title={title}
        tickSize={tickSize}
        outcomes={outcomes.map((outcome) => ({
          ...outcome,
          ask: findAsk(outcome.tokenId, outcome.name),
        }))}
        hasVerb
        onBuy={(index) => {
          sendToTicket({ kind: "buy" });
          return sendToTicket({ kind: index === 0 ? "first" : "second" });
        }}
      />
    </div>
  );
}
