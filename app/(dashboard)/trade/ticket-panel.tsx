import { headers } from "next/headers";
import { cancelNow } from "@/app/(dashboard)/orders/actions";
import { placeOrderAction } from "@/app/(dashboard)/trade/actions";
import { loadTicket } from "@/app/(dashboard)/trade/load-ticket";
import { SilentCard } from "@/components/system/venue-silence";
import { TradeTicket } from "@/components/trading/ticket/trade-ticket";
import type { Session } from "@/lib/auth/session";
import { newIdempotencyKey } from "@/lib/client/idempotency-key";
import type { TicketQuery } from "@/lib/domain/ticket/query";
import { PATH_HEADER } from "@/lib/http/page-security";
import type { Market } from "@/lib/venue/port";

interface Props {
  session: Session;
  market: Market;
  /** The page's query: token, side, type, price, shares, amount (design 7.4). */
  query: TicketQuery;
  /** A small screen shows it as a sheet over the page, when it is asked for. */
  isSheet?: boolean;
}

/** The order ticket of a market with everything it needs, for any page that shows one. */
export async function TicketPanel({ session, market, query, isSheet = false }: Props) {
  const ticket = await loadTicket(session, market.id, query);
  if (!ticket.isKnown) return <SilentCard silence={ticket.silence} what="The order ticket" />;
  const path = (await headers()).get(PATH_HEADER)?.split("?")[0] ?? "/trade";
  return (
    <TradeTicket
      // Another address is another ticket: nothing typed for one order shows up in the next.
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
      }}
      idempotencyKey={newIdempotencyKey()}
      page={{ path, query: keptQuery(query) }}
      isSheet={isSheet}
    />
  );
}

const TICKET_FIELDS = ["token", "side", "type", "price", "cents", "shares", "amount", "key"];

/** What of the page's query a choice in the ticket leaves as it is. */
function keptQuery(query: TicketQuery): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === "string" && !TICKET_FIELDS.includes(entry[0]),
    ),
  );
}
