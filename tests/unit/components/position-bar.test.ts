import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OwnMarketProvider } from "@/components/trading/order-book/own-market";
import { PositionBar } from "@/components/trading/position/position-bar";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";

type Position = NonNullable<OwnMarketWire["positions"]>[number];
type Order = OwnMarketWire["orders"][number];

const AT = "2026-11-21T12:00:00.000Z";
const POSITION: Position = {
  id: "yes",
  conditionId: "m",
  marketTitle: "Will it?",
  marketSlug: null,
  iconUrl: null,
  outcome: "Yes",
  shares: 100,
  avgPrice: 0.5,
  currentPrice: 0.3,
  value: 30,
  pnl: -20,
  pnlPercent: -40,
  negativeRisk: false,
  redeemable: false,
};
const ORDER: Order = {
  id: "ord_1",
  status: "open",
  action: "BUY",
  side: "YES",
  type: "limit",
  marketId: "m",
  price: 0.3,
  shares: 60,
  amount: null,
  timeInForce: "GTC",
  expiresAt: null,
  postOnly: false,
  filledShares: 10,
  avgFillPrice: null,
  fee: 0,
  origin: "ante",
  idempotencyKey: null,
  createdAt: AT,
  updatedAt: AT,
  marketTitle: "Will it?",
  marketSlug: "will-it",
  iconUrl: "",
  outcome: "Yes",
  tickSize: "0.01",
  openValue: 18,
  value: 0,
  reserved: 15,
  isLive: true,
};
const level = (price: number, shares: number) => ({ price, shares });
const BOOK = {
  marketId: "m",
  tokenId: "yes",
  bids: [level(0.3, 50), level(0.29, 400)],
  asks: [level(0.32, 400)],
  tickSize: "0.01" as const,
  at: AT,
};

/** Returns the text of the button that sells a position. */
function renderSale(position: Position, orders: Order[], book: typeof BOOK): string {
  const live = { book, status: "open" as const, mark: 0.3, lastPrice: null };
  const bar = createElement(PositionBar, { slug: "will-it", tickSize: "0.01", feeRate: 0 });
  const initial = { data: { positions: [position], orders, fills: [] }, at: 0 };
  const own = createElement(OwnMarketProvider, { marketId: "m", initial, children: bar });
  const market = { marketId: "m", tokenId: "yes", initial: { data: { live, trades: [] }, at: 0 } };
  const page = renderToStaticMarkup(
    createElement(LiveMarketProvider, { ...market, children: own }),
  );
  const text = page
    .replace(/<span class="masked-dots".*?<\/span>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
  return /Sell all.*$/.exec(text)?.[0].trim() ?? "";
}

it("the button that sells a position counts other users' bids only", () => {
  expect(renderSale(POSITION, [], BOOK)).toBe("Sell all ≈ $29.50");
  expect(renderSale(POSITION, [ORDER], BOOK)).toBe("Sell all ≈ $29.00");
});

it("the button that sells the other outcome leaves out the own offers of the book", () => {
  const book = { ...BOOK, asks: [level(0.31, 50), level(0.32, 400)] };
  const position = { ...POSITION, id: "no", outcome: "No" };
  const offer = { ...ORDER, action: "SELL" as const, price: 0.31 };
  expect(renderSale(position, [], book)).toBe("Sell all ≈ $68.50");
  expect(renderSale(position, [offer], book)).toBe("Sell all ≈ $68.00");
});
