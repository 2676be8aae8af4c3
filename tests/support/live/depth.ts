// Computes an order that fills against several makers of a live market.
import { z } from "zod";
import { env } from "@/lib/env";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { parseMicro, type Price, price, type Shares, shares } from "@/lib/units";
import { findLiveMarket } from "@/tests/support/live/venue";

const Book = z.object({ asks: z.array(z.object({ price: z.string(), size: z.string() })) });

function toMicro(text: string): bigint {
  const parsed = parseMicro(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.reason}`);
  return parsed.micro;
}

/**
 * Returns the limit and the size of a buy that takes the best `count` levels of an outcome. Reads the
 * book from the venue, because the service's cached book may be outdated.
 */
export async function bookOfOutcome(
  outcome: OutcomeIndex,
  count: number,
): Promise<{ limit: Price; size: Shares }> {
  const { tokenId } = (await findLiveMarket()).outcomes[outcome];
  const response = await fetch(`${env().CLOB_API_URL}/book?token_id=${tokenId}`);
  const offers = Book.parse(await response.json())
    .asks.map((level) => ({ at: toMicro(level.price), size: toMicro(level.size) }))
    .toSorted((a, b) => Number(a.at - b.at))
    .slice(0, count);
  const last = offers.at(-1);
  if (!last || offers.length < count) throw new Error(`the book has ${count} levels`);
  return {
    limit: price(last.at),
    size: shares(offers.reduce((total, { size }) => total + size, 0n)),
  };
}
