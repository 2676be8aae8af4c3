import { expect, it } from "vitest";
import { bestPrice, getMakerPrice, queue } from "@/lib/domain/matching";
import { ONE } from "@/lib/units";
import type { VenueHarness } from "@/tests/contract/scene";
import { LOT } from "@/lib/domain/lots";

/** Contract of a venue's market data. */
export function marketContract(harness: VenueHarness): void {
  const { venue } = harness;

  it("every listed market is found by id, by slug and by each of its tokens", async () => {
    const listed = await venue.listMarkets();
    const astray: string[] = [];
    for (const { id, slug, outcomes } of listed) {
      const found = [
        (await venue.findMarket(id))?.id === id,
        (await venue.findMarket(slug))?.id === id,
        ...(await Promise.all(
          ([0, 1] as const).map(async (outcome) => {
            const owner = await venue.findMarketByToken(outcomes[outcome].tokenId);
            return owner?.market.id === id && owner.outcome === outcome;
          }),
        )),
      ];
      if (found.includes(false)) astray.push(slug);
    }
    expect(listed.length).toBeGreaterThan(0);
    expect(astray).toEqual([]);
  });

  it.each(["", "nonsense", "0x00", "123", "../x", "a\0b", `0x${"0".repeat(64)}`])(
    "the unknown name %j finds no market and is no error",
    async (unknown) => {
      expect(await venue.findMarket(unknown)).toBeNull();
      expect(await venue.findMarketByToken(unknown)).toBeNull();
    },
  );

  it("a book is sorted, not crossed, on the grid, in lots, and agrees with the quote", async () => {
    const market = await harness.makeMarket();
    const book = await venue.getBook(market);
    const prices = (side: "bid" | "ask") => queue(book, side).map(getMakerPrice);
    expect(prices("bid")).toEqual(prices("bid").toSorted((a, b) => (a > b ? -1 : 1)));
    expect(prices("ask")).toEqual(prices("ask").toSorted((a, b) => (a < b ? -1 : 1)));
    const [bid, ask] = [bestPrice(book, "bid") ?? 0n, bestPrice(book, "ask") ?? ONE];
    expect(bid).toBeLessThan(ask);
    for (const price of [...prices("bid"), ...prices("ask")]) {
      expect(price % market.tick).toBe(0n);
      expect(price).toBeGreaterThanOrEqual(market.tick);
      expect(price).toBeLessThanOrEqual(ONE - market.tick);
    }
    for (const { size } of book.house) expect(size % LOT).toBe(0n);
    expect((await venue.getQuotes([market])).get(market.id)).toMatchObject({ bid, ask });
  });

  it("history is within the requested range and the market's life", async () => {
    const market = await harness.makeMarket();
    const [before, to] = [market.opensAt - 60_000, market.opensAt + 600_000];
    const points = await venue.getHistory(market, before, to, 60_000);
    expect(points.map(({ at }) => at)).toEqual(
      Array.from({ length: 11 }, (_, step) => market.opensAt + step * 60_000),
    );
    expect(points.every(({ price }) => price > 0n && price < ONE)).toBe(true);
    expect(await venue.getHistory(market, to, before, 60_000)).toEqual([]);
  });
}
