import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMatches, isTooLongSearch, splitWords, shortenSearch } from "@/lib/domain/search";

const TITLES = [
  "Will Bitcoin be above $100,000 on 31 December?",
  "Who will win the São Paulo mayoral election?",
  "How many cities host the U.S. Open's finals?",
  "Will gold close above 115?",
  "Will gold close above 116?",
  "Coldest winter in Norvale",
];

function find(search: string, titles: readonly string[] = TITLES): string[] {
  return findMatches(titles, search, (title) => [splitWords(title)])
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

describe("a search", () => {
  it.each([
    ["bitcoin", 0, "a whole word"],
    ["BITC", 0, "the beginning of one"],
    ["itco", 0, "what is inside one"],
    ["december bitcoin", 0, "words in any order"],
    ["bitcoins", 0, "a plural of what is singular"],
    ["elections", 1, "a plural of what is singular"],
    ["sao paulo", 1, "letters without their accents"],
    ["são", 1, "accents where they are"],
    ["city final", 2, "a singular of what is plural"],
    ["us open", 2, "an abbreviation without its points"],
    ["opens", 2, "a genitive"],
    ["100000", 0, "a number without its groups"],
    ["$100,000", 0, "a number with them"],
    ["bitcon", 0, "a letter too few"],
    ["bittcoin", 0, "a letter too many"],
    ["bitcoim", 0, "a wrong letter"],
    ["bticoin", 0, "two that changed places"],
    ["bitcpi", 0, "a slip before the word is typed to its end"],
    ["wnter norvale", 5, "a slip in one word of several"],
  ])("%j finds it: %s has %s", (search, index) => {
    expect(find(search)).toEqual([TITLES[index]]);
  });

  it.each(["btcn", "bitcoin gold", "117", "bitcoin 100001", "norvle qwxyz", "???", "%\0"])(
    "%j finds nothing",
    (search) => {
      expect(find(search)).toEqual([]);
    },
  );

  it.each(["", "   "])("%j finds everything with the same rank", (search) => {
    expect(findMatches(TITLES, search, (title) => [splitWords(title)])).toEqual(
      TITLES.map((item) => ({ item, rank: 0 })),
    );
  });

  it("allows typos only if nothing matches without them", () => {
    // "cold" and "gold" are one letter apart.
    expect(find("gold")).toEqual([TITLES[3], TITLES[4]]);
    expect(find("cold")).toEqual([TITLES[5]]);
  });

  it("ranks whole words before beginnings, and beginnings before parts of words", () => {
    const titles = ["Earthshine", "Shiny things", "A shin guard", "Shins"];
    expect(find("shin", titles)).toEqual(["A shin guard", "Shins", "Shiny things", "Earthshine"]);
  });

  it("ranks matches in the title before matches only in the event", () => {
    const markets = [
      { title: "Harbour City", event: "Rain in June" },
      { title: "Rain on Sunday", event: "Weather" },
    ];
    const ranks = findMatches(markets, "rain", ({ title, event }) =>
      [title, event].map(splitWords),
    );
    expect(ranks.map(({ rank }) => rank)).toEqual([1, 0]);
  });

  it("finds every text by any of its own words, in any order", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TITLES), fc.infiniteStream(fc.nat()), (title, random) => {
        const words = splitWords(title)
          .map((word) => ({ word, at: random.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .slice(0, 4)
          .map(({ word }) => word);
        expect(find(words.join(" "))).toContain(title);
      }),
    );
  });

  it("never throws for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (search) => {
        expect(find(search).length).toBeLessThanOrEqual(TITLES.length);
      }),
    );
  });
});

describe("a search that is too long", () => {
  it("is cut to its first twenty words and a hundred characters", () => {
    expect(shortenSearch("a b c d e f g h i j k l m n o p q r s t")).toBe(
      "a b c d e f g h i j k l m n o p q r s t",
    );
    expect(shortenSearch(" Will the U.S. win? ")).toBe("Will the U.S. win?");
    expect(shortenSearch("A b c-d e f g h i j k l m n o p q r s t u")).toBe(
      "a b c d e f g h i j k l m n o p q r s t",
    );
    expect(shortenSearch("x".repeat(101))).toBe("x".repeat(100));
    expect(isTooLongSearch(" a b ")).toBe(false);
    expect(isTooLongSearch("a b c d e f g h i j k l m n o p q r s t u")).toBe(true);
    expect(isTooLongSearch("x".repeat(101))).toBe(true);
  });

  it("is limited to that many words for any length", () => {
    let read = 0;
    const words = new Proxy(["will", "the", "world", "end"], {
      get: (target, name) => {
        if (name === Symbol.iterator) read += 1;
        return Reflect.get(target, name) as unknown;
      },
    });
    const text = "w wi wil will t th the e en end wo wor ".repeat(2_000);
    findMatches([words], text, (one) => [one]);
    expect(read).toBeLessThanOrEqual(2 * 20);
  });
});
