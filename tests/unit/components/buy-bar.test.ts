import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OwnMarketProvider } from "@/components/trading/order-book/own-market";
import { BuyBar } from "@/components/trading/ticket/buy-bar";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";

type Order = OwnMarketWire["orders"][number];

const level = (price: number, shares: number) => ({ price, shares });
const BOOK = {
  marketId: "m",
  tokenId: "yes",
  bids: [level(0.3, 50), level(0.29, 400)],
  asks: [level(0.31, 40), level(0.32, 400)],
  tickSize: "0.01" as const,
  at: "2026-11-21T12:00:00.000Z",
};
const OUTCOMES = [
  { name: "Yes", tokenId: "yes" },
  { name: "No", tokenId: "no" },
];

/** Returns the labels of the buttons, for an account with these orders. */
function readButtons(orders: readonly Partial<Order>[]): string[] {
  const bar = createElement(BuyBar, {
    slug: "will-it",
    title: "Will it?",
    tickSize: "0.01",
    outcomes: OUTCOMES,
  });
  const data = { positions: [], orders: orders as Order[], fills: [] };
  const own = createElement(OwnMarketProvider, {
    marketId: "m",
    initial: { data, at: 0 },
    children: bar,
  });
  const live = { book: BOOK, status: "open" as const, mark: 0.3, lastPrice: null };
  const market = { marketId: "m", tokenId: "yes", initial: { data: { live, trades: [] }, at: 0 } };
  const page = renderToStaticMarkup(
    createElement(LiveMarketProvider, { ...market, children: own }),
  );
  return [...page.matchAll(/aria-label="(.*?): Will it\?"/g)].map(([, label]) => label ?? "");
}

it("the buy bar of a phone offers other users' prices, not those of the account's own orders", () => {
  const bid = {
    status: "open",
    action: "BUY",
    outcome: "Yes",
    price: 0.3,
    filledShares: 10,
  } as const;
  const offer = { ...bid, action: "SELL", price: 0.31, shares: 50 } as const;
  expect(readButtons([])).toEqual(["Buy Yes 31¢", "Buy No 70¢"]);
  expect(readButtons([offer])).toEqual(["Buy Yes 32¢", "Buy No 70¢"]);
  expect(readButtons([offer, { ...bid, shares: 60 }])).toEqual(["Buy Yes 32¢", "Buy No 71¢"]);
  expect(readButtons([{ ...bid, shares: 40 }])).toEqual(["Buy Yes 31¢", "Buy No 70¢"]);
});
