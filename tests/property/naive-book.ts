/**
 * An independent implementation of matching: one flat list, scanned from
 * end to end for the best maker, one lot of a hundredth of a share at a time. Slow and obvious.
 */
interface Entry {
  /** Order id, or null for a house quote. */
  id: string | null;
  owner: string | null;
  isBid: boolean;
  price: bigint;
  lots: bigint;
  age: bigint;
}

export interface NaiveFill {
  /** The resting order. In a sweep, the order that the house reached. */
  id: string | null;
  /** Price of the house quote that was used, if one was. */
  quote: bigint | null;
  price: bigint;
  lots: bigint;
}

interface NaiveTaker {
  id: string;
  owner: string;
  isBid: boolean;
  limit: bigint;
  budget: { lots: bigint } | { amount: bigint };
  /** Rank of the resting remainder; null drops the remainder. */
  age: bigint | null;
}

interface NaiveResult {
  fills: NaiveFill[];
  canceled: string[];
  left: bigint;
  isComplete: boolean;
}

export class NaiveBook {
  entries: Entry[] = [];

  add(entry: Entry): void {
    this.entries.push({ ...entry });
  }

  setHouse(quotes: { isBid: boolean; price: bigint; lots: bigint }[]): void {
    this.entries = this.entries.filter((entry) => entry.id !== null);
    for (const quote of quotes) this.add({ ...quote, id: null, owner: null, age: 0n });
  }

  cancel(id: string): void {
    this.entries = this.entries.filter((entry) => entry.id !== id);
  }

  take(taker: NaiveTaker): NaiveResult {
    const fills: NaiveFill[] = [];
    const canceled: string[] = [];
    let left = "lots" in taker.budget ? taker.budget.lots : taker.budget.amount;
    const lotCost = (at: bigint) => {
      if ("lots" in taker.budget) return 1n;
      return (taker.isBid ? at : 1_000_000n - at) / 100n;
    };
    let lastPrice = taker.limit;
    for (;;) {
      const maker = this.best(!taker.isBid);
      if (!maker || !meets(taker.isBid, taker.limit, maker.price)) {
        lastPrice = taker.limit;
        break;
      }
      lastPrice = maker.price;
      if (left < lotCost(maker.price)) break;
      if (maker.owner === taker.owner && maker.id !== null) {
        canceled.push(maker.id);
        this.cancel(maker.id);
        continue;
      }
      left -= lotCost(maker.price);
      const quote = maker.id === null ? maker.price : null;
      record(fills, { id: maker.id, quote, price: maker.price, lots: 1n });
      this.use(maker);
    }
    if ("lots" in taker.budget && taker.age !== null && left > 0n) {
      const { id, owner, isBid, limit, age } = taker;
      this.add({ id, owner, isBid, price: limit, lots: left, age });
    }
    return { fills, canceled, left, isComplete: left < lotCost(lastPrice) };
  }

  sweep(): NaiveFill[] {
    const fills: NaiveFill[] = [];
    for (const isBid of [true, false]) {
      for (;;) {
        const order = this.best(isBid, (entry) => entry.id !== null);
        const quote = this.best(!isBid, (entry) => entry.id === null);
        if (!order || !quote || !meets(isBid, order.price, quote.price)) break;
        record(fills, { id: order.id, quote: quote.price, price: order.price, lots: 1n });
        this.use(order);
        this.use(quote);
      }
    }
    return fills;
  }

  private best(isBid: boolean, accepts: (entry: Entry) => boolean = () => true): Entry | null {
    let best: Entry | null = null;
    for (const entry of this.entries) {
      if (entry.isBid === isBid && accepts(entry) && (!best || isBetter(entry, best))) best = entry;
    }
    return best;
  }

  private use(entry: Entry): void {
    entry.lots -= 1n;
    this.entries = this.entries.filter((other) => other.lots > 0n);
  }
}

function meets(isBid: boolean, limit: bigint, at: bigint): boolean {
  return isBid ? at <= limit : at >= limit;
}

function isBetter(a: Entry, b: Entry): boolean {
  if (a.price !== b.price) return a.isBid ? a.price > b.price : a.price < b.price;
  if (a.id === null || b.id === null) return a.id !== null;
  return a.age < b.age;
}

function record(fills: NaiveFill[], fill: NaiveFill): void {
  const last = fills.at(-1);
  if (last && last.id === fill.id && last.quote === fill.quote) last.lots += fill.lots;
  else fills.push(fill);
}
