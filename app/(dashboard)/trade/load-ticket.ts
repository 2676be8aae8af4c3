import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { Session } from "@/lib/auth/session";
import type { TicketData } from "@/lib/browser/use-ticket";
import { parseFormQuery, type TicketQuery } from "@/lib/domain/ticket/query";
import { Market, OrderBook } from "@/lib/schemas/markets";
import { TicketAccount } from "@/lib/schemas/ticket";
import { getBook } from "@/lib/markets/get-book";
import { getMarket } from "@/lib/markets/get-market";
import { getTradingSettings } from "@/lib/accounts/trading-settings";
import { getTicketAccount } from "@/lib/orders/get-ticket-account";
import { withStaleReads, type MaybeStale, getDataTime } from "@/lib/stale-reads";

/** Loads the data of a ticket, with its fields filled in from the URL. */
export async function loadTicket(
  { principal }: Session,
  marketId: string,
  query: TicketQuery,
): Promise<MaybeStale<TicketData>> {
  const [read, settings] = await Promise.all([
    withStaleReads(() => readFacts(principal, marketId)),
    getTradingSettings(principal.userId),
  ]);
  if (!read.isKnown) return read;
  const { market, book, account } = read.value;
  const age = { at: getDataTime(read.outage), isMarked: read.outage !== null };
  const value = {
    mode: principal.mode,
    market,
    book: { data: book, ...age },
    account: { data: account, ...age },
    settings,
    form: parseFormQuery(query, market.outcomes[1].tokenId, settings.defaultOrderType),
  };
  return { ...read, value };
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
