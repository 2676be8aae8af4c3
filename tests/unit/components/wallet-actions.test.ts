import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { LostPositions, Wins } from "@/app/(dashboard)/_positions/claim-all";
import { MergeForm } from "@/app/(dashboard)/_positions/merge-form";
import { PositionRows } from "@/app/(dashboard)/_positions/position-rows";
import { PositionSheet } from "@/app/(dashboard)/_positions/position-sheet";
import { PositionsTable } from "@/app/(dashboard)/_positions/positions-table";
import { showTotals } from "@/components/format/sums";
import { MarketTitle } from "@/components/portfolio/market-title";

const action = async () => ({ status: "done", message: "" }) as const;

const WIN = {
  id: "1",
  conditionId: "claimed",
  marketTitle: "A market",
  marketSlug: "a-market",
  iconUrl: null,
  outcome: "Yes",
  shares: 12.5,
  avgPrice: 0.5,
  currentPrice: 1,
  value: 12.5,
  pnl: 6.25,
  pnlPercent: 100,
  negativeRisk: false,
  redeemable: true,
};

const readButtons = (markup: string) => markup.match(/<button[^>]*>/g) ?? [];

describe("a win whose claim is in progress", () => {
  const positions = [WIN];
  const list = { label: "Positions", positions, totals: showTotals(positions), details: new Map() };
  const view = { text: "", sort: "value" as const, isDescending: true, page: 1 };
  const render = (claiming: readonly string[]) =>
    [
      createElement(PositionsTable, { ...list, view, range: "1d", claim: action, claiming }),
      createElement(Wins, { positions, lost: [], claim: action, claimAll: action, claiming }),
    ].map((element) => renderToStaticMarkup(element));

  it("shows the progress in its button, which can't be pressed", () => {
    for (const markup of render(["claimed"])) {
      expect(markup).not.toContain("<form");
      expect(markup).toContain("<button");
      for (const button of readButtons(markup)) expect(button).toContain('aria-disabled="true"');
      expect(markup).toContain("Claiming…");
    }
  });

  it("leaves the claims of other markets as they are", () => {
    for (const markup of render(["another"])) {
      expect(markup).toContain("<form");
      expect(markup).toContain("<button");
      for (const button of readButtons(markup)) {
        expect(button).not.toContain('aria-disabled="true"');
      }
    }
  });

  it("leaves the button for all wins while one of them isn't claimed", () => {
    const wins = [WIN, { ...WIN, id: "2", conditionId: "another" }];
    const markup = renderToStaticMarkup(
      createElement(Wins, {
        positions: wins,
        lost: [],
        claim: action,
        claimAll: action,
        claiming: ["claimed"],
      }),
    );
    expect(markup).toContain("Claim all");
  });
});

it("the banner says how many lost positions a claim of every win also closes, and their loss", () => {
  const render = (lost: readonly (typeof WIN)[], claimAll: typeof action | null = action) =>
    renderToStaticMarkup(
      createElement(Wins, { positions: [WIN], lost, claim: claimAll, claimAll, claiming: [] }),
    ).replace(/<[^>]+>/g, "");
  const loss = { ...WIN, id: "2", value: 0, pnl: -4.5 };
  expect(render([loss])).toMatch(/Claim all also closes 1 lost position:.*4\.50.* realized\./);
  expect(render([loss, { ...loss, id: "3" }])).toMatch(/closes 2 lost positions:.*9\.00/);
  expect(render([])).not.toContain("also closes");
  // Only the venue's own page can claim.
  expect(render([loss], null)).not.toContain("also closes");
});

it("a phone lists wins above the open positions, with the buttons that claim them", () => {
  const open = { ...WIN, id: "2", marketTitle: "An open market", redeemable: false };
  const positions = [WIN, open];
  const list = { label: "Positions", positions, totals: showTotals(positions), details: new Map() };
  const wins = { positions: [WIN], lost: [], claim: action, claimAll: action, claiming: [] };
  const above = renderToStaticMarkup(createElement(Wins, wins));
  expect(above).toContain(WIN.marketTitle);
  expect(above.match(/Claim</g)).toHaveLength(1);
  const rows = renderToStaticMarkup(
    createElement(PositionRows, { ...list, claim: action, claiming: [] }),
  );
  expect(rows).toContain(open.marketTitle);
  expect(rows).not.toContain(WIN.marketTitle);
  expect(rows.replace(/<[^>]+>/g, "")).toMatch(/1 win to claim, listed above\$12\.50.*Total of 2/);
});

describe("a combo", () => {
  const ID = ((3n << 248n) | (7n << 120n)).toString();
  const states = [
    ["open", { redeemable: false, value: 6 }],
    ["won", {}],
    ["lost", { value: 0 }],
  ] as const;
  const toPosition = (id: string, more: object) => ({ ...WIN, marketTitle: "Both", ...more, id });
  type Position = ReturnType<typeof toPosition>;
  const tick = "0.01";
  const list = { details: new Map(), claim: action, claiming: [] };
  const inTable = (position: Position) =>
    createElement(PositionsTable, {
      ...list,
      label: "Positions",
      positions: [position],
      totals: showTotals([position]),
      view: { text: "", sort: "value", isDescending: true, page: 1 },
      range: "1d",
    });
  const inSheet = (position: Position) =>
    createElement(PositionSheet, { position, tick, onClose: () => {} });
  const amongLost = (...positions: Position[]) =>
    createElement(LostPositions, { ...list, positions, claimAll: action, showsLoss: true });
  const OFFER = /<form|>(Sell|Buy|Buy more|Claim|Close|Close all)</;

  it.each(states)("that is %s is not traded or claimed here, and says where", (_state, more) => {
    for (const show of [inTable, inSheet, amongLost]) {
      const combo = renderToStaticMarkup(show(toPosition(ID, more)));
      expect(combo).not.toMatch(OFFER);
      expect(combo).toContain("on polymarket.com");
    }
    // A position of a market has the offer.
    const [own, table] = [toPosition("7", more), inTable(toPosition("7", more))];
    expect(renderToStaticMarkup(table)).toMatch(OFFER);
    expect(renderToStaticMarkup(amongLost(own))).toMatch(OFFER);
    expect(renderToStaticMarkup(inSheet(own))).not.toContain("polymarket.com");
  });

  it("is not counted by the button that closes all losses", () => {
    const lost = { value: 0 };
    const [combo, one, two] = [ID, "7", "8"].map((id) => toPosition(id, lost));
    if (!combo || !one || !two) throw new Error("three positions");
    expect(renderToStaticMarkup(amongLost(combo, one))).not.toContain("Close all");
    expect(renderToStaticMarkup(amongLost(combo, one, two))).toContain("Close all");
  });

  it("that won is in a phone's list, because the banner can't claim it", () => {
    const positions = [toPosition(ID, {})];
    const rows = renderToStaticMarkup(
      createElement(PositionRows, {
        ...list,
        label: "Positions",
        positions,
        totals: showTotals(positions),
      }),
    );
    expect(rows).toContain("Both");
    for (const badge of ["Yes", "Combo", "Won"]) expect(rows).toContain(`>${badge}</span>`);
    expect(rows).not.toContain("won, above");
  });
});

describe("the title of a market", () => {
  it("is cut without the mark of Protocol V2", () => {
    const markup = renderToStaticMarkup(
      createElement(MarketTitle, { title: "Will it rain? (V2)" }),
    );
    expect(markup).toContain(">Will it rain?</span>");
    expect(markup).toMatch(/shrink-0[^>]*> \(V2\)</);
  });

  it("is cut as a whole without a mark", () => {
    const markup = renderToStaticMarkup(createElement(MarketTitle, { title: "Will it rain?" }));
    expect(markup).toBe('<span class="line-clamp-2">Will it rain?</span>');
  });
});

describe("the form to merge pairs", () => {
  const pairs = {
    marketId: "market",
    marketTitle: "Will it rain?",
    marketSlug: "rain",
    iconUrl: null,
    outcomes: ["Yes", "No"],
    shares: 12.5,
  };
  const markup = renderToStaticMarkup(createElement(MergeForm, { pairs, action, formKey: "key" }));
  const text = markup
    .replace(/<span class="masked-dots".*?<\/span>/g, "")
    .replace(/<[^>]+>/g, "")
    .replace(/\s+/g, " ");

  it("names what is given and what is paid before its button", () => {
    expect(text).toContain("Merge 12.5 Yes and 12.5 No into $12.50");
    expect(text).toContain("You give up 12.5 Yes and 12.5 No shares and get $12.50.");
    expect(text.indexOf("You give up")).toBeLessThan(text.indexOf("Merge and get $12.50"));
  });

  it("sends an idempotency key", () => {
    expect(markup).toContain('<input type="hidden" name="key" value="key"/>');
  });
});
