import { describe, expect, it } from "vitest";
import { describeGap, listOrderLinks } from "@/components/shell/order-commands";
import { parseOrderPhrase } from "@/lib/domain/ticket/order-phrase";

const RAIN = {
  slug: "rain",
  title: "Will it rain?",
  tickSize: "0.005",
  outcomes: [
    { name: "Yes", tokenId: "1", bestBid: 0.61, bestAsk: 0.625 },
    { name: "No", tokenId: "2", bestBid: 0.375, bestAsk: 0.39 },
  ],
};
const MATCH = {
  slug: "match",
  title: "Harbour Gulls v Kestrel United",
  tickSize: "0.01",
  outcomes: [
    { name: "Harbour Gulls", tokenId: "3", bestBid: null, bestAsk: 0.4 },
    { name: "Kestrel United", tokenId: "4", bestBid: 0.6, bestAsk: null },
  ],
};

function list(text: string, markets = [RAIN, MATCH]) {
  const phrase = parseOrderPhrase(text);
  if (phrase?.kind !== "order") throw new Error("the text is an order");
  return listOrderLinks(phrase, markets);
}
const listLabels = (text: string) => list(text).map(({ label }) => label);

describe("the orders that a phrase can mean", () => {
  it("are all outcomes of the markets, unless the words name one of them", () => {
    expect(listLabels("buy 50 rain")).toEqual([
      "Buy $50 of Yes · Will it rain?",
      "Buy $50 of No · Will it rain?",
      "Buy $50 of Harbour Gulls · Harbour Gulls v Kestrel United",
      "Buy $50 of Kestrel United · Harbour Gulls v Kestrel United",
    ]);
    expect(listLabels("buy 50 gulls")).toContain(
      "Buy $50 of Harbour Gulls · Harbour Gulls v Kestrel United",
    );
    expect(listLabels("buy 50 gulls")).toHaveLength(3);
    expect(listLabels("buy 50 no gulls")).toHaveLength(2);
  });

  it("say size, outcome and limit as the ticket will have them", () => {
    const first = (text: string) => list(text, [RAIN])[0]?.label;
    expect(first("buy 1,250.5 yes rain")).toBe("Buy $1,250.50 of Yes · Will it rain?");
    expect(first("buy 1 share yes rain")).toBe("Buy 1 share of Yes · Will it rain?");
    expect(first("sell 20 no rain")).toBe("Sell 20 shares of No · Will it rain?");
    expect(first("buy 50 yes rain at 40")).toBe("Buy 125 shares of Yes at 40¢ · Will it rain?");
  });

  it("say the price that a buy or a sell would meet", () => {
    const listBest = (text: string) => list(text).map(({ best }) => best);
    expect(listBest("buy 50 rain")).toEqual(["offer 62.5¢", "offer 39¢", "offer 40¢", "no offers"]);
    expect(listBest("sell 50 rain")).toEqual(["bid 61¢", "bid 37.5¢", "no bids", "bid 60¢"]);
  });

  it("lead to the market's ticket with outcome, side, type, size and price", () => {
    const first = (text: string) => list(text, [RAIN])[0]?.href;
    expect(first("buy 50 no rain")).toBe(
      "/markets/rain?token=2&side=buy&type=market&unit=amount&amount=50#ticket",
    );
    expect(first("buy 50 shares no rain")).toBe(
      "/markets/rain?token=2&side=buy&type=market&unit=shares&shares=50#ticket",
    );
    expect(first("sell 20 no rain at 40.5")).toBe(
      "/markets/rain?token=2&side=sell&type=limit&cents=40.5&shares=20#ticket",
    );
  });
});

it("a hint says what an order lacks, and nothing for other texts", () => {
  expect(describeGap(parseOrderPhrase("buy"))).toBe(
    "Add an amount and a market, such as “buy 50 gulls”.",
  );
  expect(describeGap(parseOrderPhrase("sell"))).toBe(
    "Add shares and a market, such as “sell 20 gulls”.",
  );
  expect(describeGap(parseOrderPhrase("sell 20"))).toContain("sell 20 gulls");
  expect(describeGap(parseOrderPhrase("sell $5 gulls"))).toContain("sized in shares");
  expect(describeGap(parseOrderPhrase("buy 5 gulls"))).toBeNull();
  expect(describeGap(parseOrderPhrase("gulls"))).toBeNull();
});
