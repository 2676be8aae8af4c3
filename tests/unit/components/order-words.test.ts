import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { FilledOfOrdered, OrderOptions, TIME_IN_FORCE } from "@/components/orders/order-words";
import { EXPIRIES } from "@/lib/domain/ticket/form";
import type { TimeInForce } from "@/lib/domain/time-in-force";

/** Renders the options of a market order as text. */
function readOptions(timeInForce: TimeInForce): string {
  const order = { type: "market", timeInForce, expiresAt: null, postOnly: false } as const;
  return renderToStaticMarkup(createElement(OrderOptions, { order })).replace(/<[^>]+>/g, "");
}

describe("the options of a market order", () => {
  it("name fill or kill as the ticket does", () => {
    expect(readOptions("FOK")).toBe("All or nothing");
  });

  it("are empty for its default time in force", () => {
    expect(readOptions("FAK")).toBe("");
  });
});

it("an order without an expiry is until canceled, as in the ticket", () => {
  expect(TIME_IN_FORCE.GTC).toBe(new Map(EXPIRIES).get("never"));
});

describe("the size of an order", () => {
  /** Renders a size as text, without the dots of hidden figures. */
  const readSize = (order: {
    filledShares: number;
    shares: number | null;
    amount: number | null;
  }) => renderToStaticMarkup(createElement(FilledOfOrdered, { order })).replace(/<[^>]+>|•+/g, "");

  it("is what was filled of the ordered shares or dollars", () => {
    expect(readSize({ filledShares: 0, shares: 111, amount: null })).toBe("0 / 111");
    expect(readSize({ filledShares: 131.57, shares: null, amount: 75 })).toBe(
      "131.57 shares · of $75.00",
    );
  });
});
