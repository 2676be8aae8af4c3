import type { LiveBookWire } from "@/lib/client/book-store";
import { microOf } from "@/lib/domain/ticket/book";
import { complement, microToNumber, price } from "@/lib/units";

type Level = LiveBookWire["book"]["bids"][number];

/** The same book in prices of the market's other token: who bids for one offers the other. */
export function mirrorLiveBook(live: LiveBookWire, tokenId: string): LiveBookWire {
  const { book, mark, lastPrice } = live;
  return {
    ...live,
    book: { ...book, tokenId, bids: book.asks.map(mirrored), asks: book.bids.map(mirrored) },
    mark: otherPrice(mark),
    lastPrice: lastPrice === null ? null : otherPrice(lastPrice),
  };
}

const mirrored = (level: Level): Level => ({ ...level, price: otherPrice(level.price) });
const otherPrice = (at: number) => microToNumber(complement(price(microOf(at))));
