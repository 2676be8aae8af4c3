import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectTrades } from "@/lib/db/queries/trades";
import { toHouseTaker } from "@/lib/domain/trade-tape";
import type { TapeTrade } from "@/lib/schemas/market-pages";
import { notional } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

const MAX_TRADES = 50;

/**
 * Returns the last trades of this service's users in a market, newest first, from the taker's side.
 * Paper and live trades of a market are separate tapes.
 */
export async function listTrades(
  { mode }: Pick<Principal, "mode">,
  market: Market,
): Promise<z.output<typeof TapeTrade>[]> {
  const rows = await selectTrades(await getDb(), { marketId: market.id, mode }, MAX_TRADES);
  return rows.map((row) => {
    const outcome = row.tokenId === market.outcomes[0].tokenId ? 0 : 1;
    const trade = { action: row.action, outcome, price: row.price } as const;
    const taker = row.role === "taker" ? trade : toHouseTaker(trade);
    return {
      id: row.tradeId,
      at: row.createdAt,
      action: taker.action,
      outcome: market.outcomes[taker.outcome].name,
      price: taker.price,
      shares: row.shares,
      value: notional(row.shares, taker.price, "down"),
    };
  });
}
