import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { type AccountEventWire, EventSubject } from "@/components/developers/event-subject";

const TITLE = "Harbour Gulls v Kestrel United: who wins?";
const market = {
  title: TITLE,
  tickSize: "0.0025",
  firstToken: "1",
  firstOutcome: "Harbour Gulls",
  secondOutcome: "Kestrel United",
};
const order = {
  id: "ord_1",
  marketId: "m",
  action: "SELL",
  side: "NO",
  shares: 40,
  amount: null,
  price: 0.925,
};
const fill = {
  orderId: "ord_1",
  marketId: "m",
  tokenId: "1",
  action: "BUY",
  shares: 41.66,
  price: 0.625,
};

/** Returns the visible text of an event's subject. */
function read(data: object, markets = new Map([["m", market]])): string {
  const event = { data } as unknown as AccountEventWire;
  return renderToStaticMarkup(createElement(EventSubject, { event, markets, keyNames: {} }))
    .replace(/<span class="masked-dots".*?<\/span>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

describe("the subject of an event", () => {
  it("of an order has its outcome's name, its limit at the market's tick, and its market", () => {
    expect(read({ order, detail: {} })).toBe(`Sell 40 Kestrel United @ 92.5¢ ${TITLE}`);
    const buy = { ...order, action: "BUY", side: "YES", price: 0.6225 };
    expect(read({ order: buy, detail: {} })).toBe(`Buy 40 Harbour Gulls @ 62.25¢ ${TITLE}`);
  });

  it("of a fill has its outcome's name, its price at the market's tick, and its market", () => {
    expect(read({ fill })).toBe(`Bought 41.66 Harbour Gulls @ 62.5¢ ${TITLE}`);
    const other = { ...fill, tokenId: "2", action: "SELL" };
    expect(read({ fill: other })).toBe(`Sold 41.66 Kestrel United @ 62.5¢ ${TITLE}`);
  });

  it("has the order's side and unrounded price if its market isn't recorded", () => {
    expect(read({ order, detail: {} }, new Map())).toBe("Sell 40 NO @ 92.5¢");
  });
});
