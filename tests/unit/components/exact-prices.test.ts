import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PositionRows } from "@/app/(dashboard)/_positions/position-rows";
import { PositionsTable } from "@/app/(dashboard)/_positions/positions-table";
import { showTotals } from "@/components/format/sums";
import { OutcomeLinks } from "@/components/markets/outcome-links";

const readText = (markup: string) => markup.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

it("an offer on a grid of 0.25¢ is exact in a column of markets, without zeros at its end", () => {
  const outcomes = [
    { name: "Yes", tokenId: "1", ask: 0.9225 },
    { name: "No", tokenId: "2", ask: 0.1 },
  ];
  for (const isInColumn of [true, false]) {
    const links = {
      slug: "rain",
      title: "Will it rain?",
      tickSize: "0.0025",
      outcomes,
      isInColumn,
    };
    const text = readText(renderToStaticMarkup(createElement(OutcomeLinks, links)));
    expect(text).toContain("92.25¢");
    expect(text).toContain(" 10¢");
  }
});

it("a position's prices are exact on its market's grid", () => {
  const positions = [
    {
      id: "1",
      conditionId: "rain",
      marketTitle: "Will it rain?",
      marketSlug: "rain",
      iconUrl: null,
      outcome: "Yes",
      shares: 100,
      avgPrice: 0.9225,
      currentPrice: 0.9275,
      value: 92.75,
      pnl: 0.5,
      pnlPercent: 0.54,
      negativeRisk: false,
      redeemable: false,
    },
  ];
  const action = async () => ({ status: "done", message: "" }) as const;
  const list = {
    label: "Positions",
    positions,
    totals: showTotals(positions),
    details: new Map([["1", { tick: "0.0025", trail: [] }]]),
    claim: action,
    claiming: [],
  };
  const view = { text: "", sort: "value" as const, isDescending: true, page: 1 };
  for (const element of [
    createElement(PositionsTable, { ...list, view, range: "1d" }),
    createElement(PositionRows, list),
  ]) {
    expect(readText(renderToStaticMarkup(element))).toContain("92.25¢ → 92.75¢");
  }
});
