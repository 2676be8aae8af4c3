import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { MarketLineWire } from "@/components/markets/market-view";
import { OutcomeRow } from "@/components/markets/outcome-row";
import { OPEN_LINE } from "@/tests/support/domain/market-line";

const RESOLVED: MarketLineWire = { ...OPEN_LINE, status: "resolved", winner: "Yes", chance: 1 };
const held = (conditionId: string, outcome: string, shares: number) => ({
  conditionId,
  outcome,
  shares,
});

/** Returns the row's texts, without the dots of hidden values. */
const readRow = (line: MarketLineWire, positions: ReturnType<typeof held>[] | null): string =>
  renderToStaticMarkup(
    createElement(OutcomeRow, { line, positions, hrefOf: () => "/markets/will-it" }),
  )
    .replace(/<span class="masked-dots".*?<\/span>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

it("the row of a market names the shares that the account holds in it", () => {
  const others = held("another", "Yes", 7);
  const row = readRow(OPEN_LINE, [others, held("m", "No", 12.5), held("m", "Yes", 1_000)]);
  expect(row).toContain("Rain You hold 12.5 No You hold 1,000 Yes 40%");
  expect(readRow(OPEN_LINE, [others])).not.toContain("You hold");
  expect(readRow(OPEN_LINE, null)).not.toContain("You hold");
});

it("the row of a resolved market has its result in place of its chance", () => {
  expect(readRow(RESOLVED, [held("m", "Yes", 3)]).trim()).toBe("Rain You hold 3 Yes Resolved: Yes");
});
