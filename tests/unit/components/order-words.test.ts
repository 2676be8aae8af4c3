import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { OrderOptions } from "@/components/orders/order-words";
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
