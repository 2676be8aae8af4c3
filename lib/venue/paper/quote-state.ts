import "server-only";
import { sql } from "drizzle-orm";
import { now } from "@/lib/clock";
import { compiled } from "@/lib/db/compiled";
import type { Tx } from "@/lib/db/database";
import { ofMode } from "@/lib/db/queries/mode";
import { houseTaken, markets, orders } from "@/lib/db/schema/trading";
import type { HouseLevel } from "@/lib/domain/matching";
import type { BestPrices } from "@/lib/domain/mark-price";
import { type Price, price } from "@/lib/units";

/** What the record knows of a market that its quote depends on, in prices of the first token. */
export interface QuoteState {
  /** The best prices of users' resting orders. */
  resting: BestPrices;
  /** The last trade on this exchange. */
  last: Price | null;
  /** What was taken from the house's levels, epoch by epoch. */
  taken: { side: HouseLevel["side"]; price: Price; epoch: number; shares: bigint }[];
}

type Text = string | null;
type Line = [
  id: string,
  bid: Text,
  ask: Text,
  last: Text,
  taken: [side: HouseLevel["side"], price: string, epoch: number, shares: string][] | null,
];

const best = (side: "bid" | "ask") => sql`(
  select ${orders.bookPrice}::text from ${orders}
  where ${orders.marketId} = wanted.id and ${orders.bookSide} = ${sql.raw(`'${side}'`)}
    and ${orders.status} in ('open', 'delayed') and ${orders.status} = 'open'
    and ${orders.bookPrice} is not null and ${ofMode(orders.epoch, "paper")}
    and (${orders.expiresAt} is null or ${orders.expiresAt} > ${sql.placeholder("now")}::timestamptz)
  order by (case when ${orders.bookSide} = 'bid' then - ${orders.bookPrice} else ${orders.bookPrice} end)
  limit 1)`;

// The first of each side's queue, from the index that orders trade by; all markets as one value.
const quoteStates = compiled((tx) =>
  tx
    .select({
      lines: sql<
        Line[]
      >`coalesce(json_agg(json_build_array(wanted.id, ${best("bid")}, ${best("ask")},
        ${markets.lastPrice}::text, (
          select json_agg(json_build_array(${houseTaken.side}, ${houseTaken.price}::text,
            ${houseTaken.epoch}, ${houseTaken.taken}::text))
          from ${houseTaken}
          where ${houseTaken.marketId} = wanted.id
            and ${houseTaken.epoch} between ${sql.placeholder("from")} and ${sql.placeholder("to")}
        ))), '[]')`,
    })
    .from(
      sql`json_array_elements_text(${sql.placeholder("ids")}::text::json) as wanted (id)
        left join ${markets} on ${markets.id} = wanted.id`,
    )
    .prepare("quote_states"),
);

/** Reads many markets in one statement, by market id; what was taken, of a span of epochs. */
export async function readQuoteStates(
  tx: Tx,
  ids: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Map<string, QuoteState>> {
  if (ids.length === 0) return new Map();
  const at = new Date(now()).toISOString();
  const [found] = await quoteStates(tx).execute({ ids: JSON.stringify(ids), from, to, now: at });
  return new Map((found?.lines ?? []).map((line) => [line[0], toState(line)]));
}

function toState([, bid, ask, last, taken]: Line): QuoteState {
  return {
    resting: { bid: toPrice(bid), ask: toPrice(ask) },
    last: toPrice(last),
    taken: (taken ?? []).map(([side, level, epoch, amount]) => ({
      side,
      price: price(BigInt(level)),
      epoch,
      shares: BigInt(amount),
    })),
  };
}

function toPrice(text: Text): Price | null {
  return text === null ? null : price(BigInt(text));
}
