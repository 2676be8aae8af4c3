import { cancelNow } from "@/app/(dashboard)/orders/actions";
import { placeOrderAction, saveReviewAction } from "@/app/(dashboard)/trade/actions";
import { loadTicket } from "@/app/(dashboard)/trade/load-ticket";
import { OutageCard } from "@/components/system/venue-outage";
import { TradeTicket } from "@/components/trading/ticket/trade-ticket";
import type { Session } from "@/lib/auth/session";
import { createIdempotencyKey } from "@/lib/browser/idempotency-key";
import { TICKET_FIELDS } from "@/lib/domain/ticket/href";
import type { TicketQuery } from "@/lib/domain/ticket/query";
import type { Market } from "@/lib/venue/port";

interface Props {
  session: Session;
  market: Market;
  /** The page's query: token, side, type, price, shares, amount. */
  query: TicketQuery;
}

/** The order ticket of a market's page with its data. */
export async function TicketPanel({ session, market, query }: Props) {
  const ticket = await loadTicket(session, market.id, query);
  if (!ticket.isKnown) return <OutageCard outage={ticket.outage} what="The order ticket" />;
  return (
    <TradeTicket
      // Each URL has its own ticket, so that typed text doesn't appear in another one.
      key={JSON.stringify([
        market.id,
        query["token"],
        query["side"],
        query["type"],
        query["price"],
      ])}
      data={ticket.value}
      actions={{
        place: placeOrderAction.bind(null, session.principal.mode),
        cancel: cancelNow,
        saveReview: saveReviewAction,
      }}
      idempotencyKey={createIdempotencyKey()}
      keptQuery={pickKeptQuery(query)}
    />
  );
}

/** Returns the query parameters that a choice in the ticket keeps. */
function pickKeptQuery(query: TicketQuery): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === "string" && !TICKET_FIELDS.some((field) => field === entry[0]),
    ),
  );
}
