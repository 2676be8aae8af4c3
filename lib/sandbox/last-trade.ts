import "server-only";
import { getDb } from "@/lib/db/client";
import { selectLastFill } from "@/lib/db/queries/sandbox-events";
import type { FillRow } from "@/lib/db/rows";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import { houseTakerOf, seenFrom } from "@/lib/domain/trade-tape";
import type { Price } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

interface TokenOfMarket {
  market: Market;
  outcome: OutcomeIndex;
}

interface LastTrade {
  price: Price;
  /** What the taker did, in this token's terms. */
  side: Action;
}

/** The last trade of a token's market; null when nobody traded it. */
export async function lastTradeOf(token: TokenOfMarket): Promise<LastTrade | null> {
  const fill = await selectLastFill(await getDb(), token.market.id);
  return fill && tradeOf(token, fill);
}

/** A trade, of which a fill is known, as a token of its market shows it. */
export function tradeOf({ market, outcome }: TokenOfMarket, fill: FillRow): LastTrade {
  const own = {
    action: fill.action,
    outcome: fill.tokenId === market.outcomes[0].tokenId ? 0 : 1,
    price: fill.price,
  } as const;
  const { action, price } = seenFrom(outcome, fill.role === "taker" ? own : houseTakerOf(own));
  return { price, side: action };
}
