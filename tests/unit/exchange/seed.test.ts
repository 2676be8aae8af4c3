import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue";
import { buildMarket } from "@/lib/exchange/paper-market";
import { hashText } from "@/lib/exchange/noise";
import { computeReferencePrice, determineWinner } from "@/lib/exchange/reference-price";
import { PaperSeed } from "@/lib/exchange/seed";

const INSTANCE = 40;

const listMarkets = (seed: PaperSeed) =>
  EVENT_TEMPLATES.flatMap((event) =>
    event.markets.map((template) => buildMarket(seed, event, template, INSTANCE)),
  );

describe("generator 1, of installations without a random seed", () => {
  /** Values of the old version: event, id, price after 70 % of the time, winner. */
  const FORMER = [
    ["norvale-presidency", "0x936524e35a960a8c", 3_113n, 1],
    ["tern-open-final", "0xe5cc327ff1d6e8bc", 944_773n, 0],
    ["tern-shilling", "0x72848dcf0f04d38c", 187_660n, 1],
    ["ostrel-bond-payment", "0x7dec38709599c3bf", 68_735n, 0],
    ["meridian-medal", "0x400a5e4c76fdd69b", 33_956n, 1],
    ["marlow-light-fog", "0x94acff47d4412073", 104_260n, 1],
  ] as const;

  it.each(FORMER)("keeps id, price and result of %s", (eventId, id, price, winner) => {
    const event = EVENT_TEMPLATES.find((candidate) => candidate.id === eventId);
    const template = event?.markets.at(-1);
    if (!event || !template) throw new Error(`no event ${eventId}`);
    const market = buildMarket(new PaperSeed("1", 1), event, template, INSTANCE);
    const at = market.opensAt + (market.closesAt - market.opensAt) * 0.7;
    expect([
      market.id.slice(0, 18),
      computeReferencePrice(market, at),
      determineWinner(market),
    ]).toEqual([id, price, winner]);
  });
});

describe("a seed", () => {
  it("determines ids, prices and results", () => {
    const computeFacts = (text: string) =>
      listMarkets(new PaperSeed(text)).map((market) => {
        const at = (market.opensAt + market.closesAt) / 2;
        return [
          market.id,
          market.outcomes[0].tokenId,
          computeReferencePrice(market, at),
          determineWinner(market),
        ];
      });
    const [one, again, other] = [computeFacts("one"), computeFacts("one"), computeFacts("other")];
    expect(again).toEqual(one);
    const ids = new Set(one.map(([id]) => id));
    expect(other.filter(([id]) => id !== undefined && ids.has(id))).toEqual([]);
    const differing = one.filter(([, , , winner], index) => other[index]?.[3] !== winner);
    expect(differing.length).toBeGreaterThan(one.length / 20);
  });

  it("gives different results for texts with the same 32-bit hash", () => {
    const byHash = new Map<number, string>();
    let pair: [string, string] | null = null;
    for (let index = 0; pair === null; index += 1) {
      const text = `text ${index}`;
      const former = byHash.get(hashText(`${text}/path`));
      if (former !== undefined) pair = [former, text];
      byHash.set(hashText(`${text}/path`), text);
    }
    const noises = pair.map((text) => new PaperSeed(text).getNoise("path")(0, 0));
    expect(noises[0]).not.toBe(noises[1]);
    const formers = pair.map((text) => new PaperSeed(text, 1).getNoise("path")(0, 0));
    expect(formers[0]).toBe(formers[1]);
  });

  it("is not revealed by printing or serializing a market", () => {
    const text = "a-seed-that-nobody-may-see";
    const [market] = listMarkets(new PaperSeed(text));
    if (!market) throw new Error("the catalogue has markets");
    computeReferencePrice(market, market.opensAt + 1);
    const write = (_: string, value: unknown) =>
      typeof value === "bigint" ? String(value) : value;
    expect(JSON.stringify(market, write)).not.toContain(text);
    expect(inspect(market, { depth: Infinity, showHidden: true })).not.toContain(text);
  });

  it("has independent normal noise with mean 0 and variance 1", () => {
    const noise = new PaperSeed("normal").getNoise("path");
    const values = Array.from({ length: 20_000 }, (_, index) => noise(5, index));
    const mean = values.reduce((total, value) => total + value, 0) / values.length;
    const variance = values.reduce((total, value) => total + value ** 2, 0) / values.length;
    const lagged = values
      .slice(1)
      .reduce((total, value, index) => total + value * (values[index] ?? 0), 0);
    expect(Math.abs(mean)).toBeLessThan(0.03);
    expect(Math.abs(variance - 1)).toBeLessThan(0.05);
    expect(Math.abs(lagged / values.length)).toBeLessThan(0.03);
  });
});
