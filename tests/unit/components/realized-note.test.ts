import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RealizedNote } from "@/components/portfolio/closed-positions";

const write = (totals: Parameters<typeof RealizedNote>[0]["totals"]) =>
  renderToStaticMarkup(createElement(RealizedNote, { totals }))
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("••••", "");

it("the note under closed positions has their profit before and after fees, and the rest of the realized one", () => {
  expect(write({ count: 2, profit: 12.5, fees: 3, realized: 12.5 })).toBe(
    "All 2 closed positions: +$12.50 before fees, +$9.50 after $3.00 in fees. Realized is the same +$12.50 before fees.",
  );
  expect(write({ count: 1, profit: -20, fees: 0.5, realized: -15 })).toBe(
    "The closed position: −$20.00 before fees, −$20.50 after $0.50 in fees. Realized is −$15.00 before fees: it also has +$5.00 from shares sold of positions you still hold.",
  );
  expect(write({ count: 2, profit: 1.004, fees: 0.496, realized: 1.004 })).toContain(
    "a total can differ from its parts by cents",
  );
});
