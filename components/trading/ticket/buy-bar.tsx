"use client";

import { OutcomeLinks } from "@/components/markets/outcome-links";
import { useBookState, useLiveMarket } from "@/components/trading/order-book/live-market";
import { mirrorPrice } from "@/lib/browser/book-store";
import { sendToTicket } from "@/lib/browser/ticket-commands";

interface Props {
  slug: string;
  title: string;
  tickSize: string;
  outcomes: readonly { name: string; tokenId: string }[];
}

/** The buy buttons above the tab bar of a phone, which open the ticket. */
export function BuyBar({ slug, title, tickSize, outcomes }: Props) {
  const { book } = useBookState(useLiveMarket()).live;
  const findAsk = (tokenId: string) => {
    if (tokenId === book.tokenId) return book.asks[0]?.price ?? null;
    // A bid for one outcome is an ask for the other, at 1 - price.
    const bid = book.bids[0];
    return bid ? mirrorPrice(bid.price) : null;
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
        outcomes={outcomes.map((outcome) => ({ ...outcome, ask: findAsk(outcome.tokenId) }))}
        hasVerb
        onBuy={(index) => {
          sendToTicket({ kind: "buy" });
          return sendToTicket({ kind: index === 0 ? "first" : "second" });
        }}
      />
    </div>
  );
}
