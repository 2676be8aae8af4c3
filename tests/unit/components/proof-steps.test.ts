import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { type LedgerProofWire, listProofSteps } from "@/components/activity/proof-steps";
import { BooksLink } from "@/components/shell/books-link";

const flow = (amountUsdc: number, events: number) => ({ amountUsdc, events });

const paper: LedgerProofWire = {
  deposits: flow(10_000, 1),
  bought: flow(-700.0005, 3),
  sold: flow(100.000_1, 1),
  fees: flow(-7.123_456, 4),
  payouts: flow(50, 2),
  outsideUsdc: null,
  cashUsdc: 9442.876_144,
  reservedUsdc: 0,
  positionsUsdc: 500.5,
  positions: 2,
  totalUsdc: 9943.376_144,
  verification: { transfers: 9, accounts: 4, mismatches: 0 },
  at: "2026-11-25T01:00:00.000Z",
};

describe("the rows of the ledger proof", () => {
  it("lead from a paper account's deposits to its value, each to its lines", () => {
    const steps = listProofSteps(paper, "paper");
    expect(steps.map(({ name, href, kind }) => [name, href, kind])).toEqual([
      ["Deposits", "/activity?type=deposit&exact=1", "flow"],
      ["Bought", "/activity?type=buy&exact=1", "flow"],
      ["Sold", "/activity?type=sell&exact=1", "flow"],
      ["Fees", "/activity?type=fee&exact=1", "flow"],
      ["Payouts", "/activity?type=claim&exact=1", "flow"],
      ["Cash", "/activity", "total"],
      ["Positions", "/", "flow"],
      ["Portfolio value", "/", "total"],
    ]);
    expect(steps.map(({ exact }) => exact)).toEqual([
      10_000, -700.0005, 100.0001, -7.123456, 50, 9442.876144, 500.5, 9943.376144,
    ]);
  });

  it("of a live account end with what Ante's ledger doesn't know", () => {
    const live = { ...paper, deposits: flow(0, 0), payouts: flow(0, 0), outsideUsdc: 10_050 };
    const steps = listProofSteps(live, "live");
    expect(steps.map(({ name }) => name)).toEqual([
      "Bought",
      "Sold",
      "Fees",
      "Outside Ante",
      "Cash",
      "Positions",
      "Portfolio value",
    ]);
    const links = steps.map(({ href }) => href);
    expect(links.some((href) => href?.startsWith("/activity"))).toBe(false);
    const inCents = (usdc: number) => Math.round(usdc * 100);
    const flows = steps.slice(0, 4).reduce((sum, { shown }) => sum + inCents(shown), 0);
    expect(flows).toBe(inCents(steps[4]?.shown ?? 0));
  });
});

describe("the rounding of the ledger proof", () => {
  it("is a row of its own where rounded amounts leave a cent, and leads nowhere", () => {
    const steps = listProofSteps(
      {
        ...paper,
        bought: flow(-700.004, 3),
        sold: flow(100.004, 2),
        fees: flow(-7.004, 4),
        cashUsdc: 9442.996,
        positionsUsdc: 500.004,
        totalUsdc: 9943,
      },
      "paper",
    );
    expect(steps.map(({ name, shown }) => [name, shown])).toEqual([
      ["Deposits", 10_000],
      ["Bought", -700],
      ["Sold", 100],
      ["Fees", -7],
      ["Payouts", 50],
      ["Cash", 9443],
      ["Positions", 500],
      ["Portfolio value", 9943],
    ]);
    const off = listProofSteps({ ...paper, payouts: flow(50.004, 1), cashUsdc: 9442.885 }, "paper");
    expect(off.filter(({ name }) => name.endsWith("rounding"))).toMatchObject([
      { name: "Cash rounding", shown: 0.01, href: null, exact: 0 },
      { name: "Value rounding", shown: -0.01, href: null, exact: 0 },
    ]);
  });
});

describe("the padlock of the top bar", () => {
  const render = (check: { at: string; problems: number } | null) =>
    renderToStaticMarkup(createElement(BooksLink, { check }));

  it("says when the books balanced, and leads to the proof", () => {
    const markup = render({ at: "2026-11-25T01:00:00.000Z", problems: 0 });
    expect(markup).toContain("Books balance");
    expect(markup).toContain('dateTime="2026-11-25T01:00:00.000Z"');
    expect(markup).toContain('href="/activity/proof"');
  });

  it("says that the books don't balance, and leads to the status page", () => {
    const markup = render({ at: "2026-11-25T01:00:00.000Z", problems: 2 });
    expect(markup).toContain("Books don’t balance");
    expect(markup).toContain('href="/status"');
    expect(markup).not.toContain("Books balance");
  });

  it("promises nothing before the first check", () => {
    expect(render(null)).toContain("Books not checked yet");
  });
});
