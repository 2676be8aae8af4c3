import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { Session } from "@/lib/auth/session";
import type { TicketData } from "@/lib/client/use-ticket";
import { formFromQuery, type TicketQuery } from "@/lib/domain/ticket/query";
import { Market, OrderBook } from "@/lib/schemas/markets";
import { TicketAccount } from "@/lib/schemas/ticket";
import { getBook } from "@/lib/services/markets/get-book";
import { getMarket } from "@/lib/services/markets/get-market";
import { getTradingSettings } from "@/lib/services/settings/get-trading-settings";
import { getTicketAccount } from "@/lib/services/ticket/get-ticket-account";
import { showing, type Shown, shownAt } from "@/lib/showing";

/** Everything a ticket starts from, with its fields filled in from the page's address. */
export async function loadTicket(
  { principal }: Session,
  marketId: string,
  query: TicketQuery,
): Promise<Shown<TicketData>> {
  const [shown, settings] = await Promise.all([
    showing(() => readFacts(principal, marketId)),
    getTradingSettings(principal.userId),
  ]);
  if (!shown.isKnown) return shown;
  const { market, book, account } = shown.value;
  const age = { at: shownAt(shown.silence), isMarked: shown.silence !== null };
  const value = {
    mode: principal.mode,
    market,
    book: { data: book, ...age },
    account: { data: account, ...age },
    settings,
    form: formFromQuery(query, market.outcomes[1].tokenId, settings.defaultOrderType),
  };
  return { ...shown, value };
}

async function readFacts(principal: Principal, marketId: string) {
  const [detail, book, account] = await Promise.all([
    getMarket(principal, marketId),
    getBook(principal, marketId, undefined),
    getTicketAccount(principal, marketId),
  ]);
  const { rules: _, resolutionSource: __, resolvesAt: ___, ...market } = detail;
  return {
    market: z.encode(Market, market),
    book: z.encode(OrderBook, book),
    account: z.encode(TicketAccount, account),
  };
}
