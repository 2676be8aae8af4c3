import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { WaitingTerms } from "@/components/approvals/waiting-terms";

type Terms = Parameters<typeof WaitingTerms>[0];

/** Renders the terms of a market buy for $20 as text. */
function readTerms(amounts: { fee: number; total: number }): string {
  const line = { action: "BUY", type: "market", price: 0.74, shares: null, amount: 20 };
  const waiting = { line: { ...line, tickSize: "0.01" }, mostUsdc: 20.8 };
  const preview = {
    refusal: null,
    marketPrice: 0.69,
    filledShares: 28.98,
    avgPrice: 0.69,
    worstPrice: 0.69,
    restingShares: 0,
    reserved: 0,
    ...amounts,
  };
  const terms = { waiting, preview } as unknown as Terms;
  return renderToStaticMarkup(createElement(WaitingTerms, terms))
    .replace(/<[^>]+>/g, "")
    .replaceAll("••••", "");
}

it("an order that waits for approval shows amounts in cents that add up, otherwise exact ones", () => {
  expect(readTerms({ fee: 0.25, total: 20.24 })).toContain(
    "$19.99Fee—$0.25Cost with feeAt most $20.80$20.24",
  );
  // $20.00 and $0.26 are not $20.25.
  expect(readTerms({ fee: 0.2556, total: 20.2519 })).toContain(
    "$19.9963Fee—$0.2556Cost with feeAt most $20.80$20.2519",
  );
});
