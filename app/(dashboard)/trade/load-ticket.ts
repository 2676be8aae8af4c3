import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/session";
import type { TicketData } from "@/lib/client/use-ticket";
import { formFromQuery, type TicketQuery } from "@/lib/domain/ticket/query";
import { Market, OrderBook } from "@/lib/schemas/markets";
import { TicketAccount } from "@/lib/schemas/ticket";
import { getBook } from "@/lib/services/markets/get-book";
import { getMarket } from "@/lib/services/markets/get-market";
import { getTradingSettings } from "@/lib/services/settings/get-trading-settings";
import { getTicketAccount } from "@/lib/services/ticket/get-ticket-account";

/** Everything a ticket starts from, with its fields filled in from the page's address. */
export async function loadTicket(
  { principal }: Session,
  marketId: string,
  query: TicketQuery,
): Promise<TicketData> {
  const [detail, book, account, settings] = await Promise.all([
    getMarket(principal, marketId),
    getBook(principal, marketId, undefined),
    getTicketAccount(principal, marketId),
    getTradingSettings(principal.userId),
  ]);
  const { rules: _, resolutionSource: __, resolvesAt: ___, ...market } = detail;
  const at = Date.now();
  return {
    mode: principal.mode,
    market: z.encode(Market, market),
    book: { data: z.encode(OrderBook, book), at },
    account: { data: z.encode(TicketAccount, account), at },
    settings,
    form: formFromQuery(query, market.outcomes[1].tokenId, settings.defaultOrderType),
  };
}
