import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { HeldFunds } from "@/components/orders/held-funds";

const show = (buys: number, sells = 0) =>
  renderToStaticMarkup(createElement(HeldFunds, { totals: { count: 2, waiting: 0, buys, sells } }))
    .replace(/<[^>]+>/g, "")
    .replaceAll("••••", "");

it("the cash of open buys is rounded to the nearest cent, as the sum of its rows", () => {
  expect(show(240.176)).toBe("$240.18 in buys");
  expect(show(59.848)).toBe("$59.85 in buys");
});

it("a side without open orders is left out", () => {
  expect(show(20)).toBe("$20.00 in buys");
  expect(show(0, 20)).toBe("20 shares in sells");
  expect(show(20, 1)).toBe("$20.00 in buys, 1 share in sells");
});
