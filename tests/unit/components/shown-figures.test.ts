import fc from "fast-check";
import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PositionRows } from "@/app/(dashboard)/_positions/position-rows";
import { PositionsTable } from "@/app/(dashboard)/_positions/positions-table";
import { chooseDecimals } from "@/components/activity/line-parts";
import { StatementTable } from "@/components/activity/statement-table";
import {
  apportion,
  showClosedPosition,
  showPosition,
  showProfit,
  showProof,
  showTotals,
} from "@/components/format/sums";
import { formatMoney, formatSignedMoney } from "@/components/format/numbers";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OwnMarketProvider } from "@/components/trading/order-book/own-market";
import { PositionBar } from "@/components/trading/position/position-bar";
import { AccountBreakdown } from "@/components/portfolio/account-breakdown";
import { AccountValue } from "@/components/portfolio/account-value";
import { microToNumber, parseMicro } from "@/lib/units";

const CENT = 10_000n;
/** Parses a shown amount to cents. */
const cents = (text: string) =>
  BigInt(
    text
      .replace("\u2212", "-")
      .replace("—", "0")
      .replace(/[$,.+▲▼\s]/g, ""),
  );

/** Returns the visible text of markup. */
const readText = (markup: string) =>
  markup
    .replace(/<span class="masked-dots".*?<\/span>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

/** Returns the shown amounts of each row of a table. */
function readAmounts(markup: string): string[][] {
  const rows = markup.split("<tr").slice(1);
  return rows.map((row) => {
    const text = row.replace(/<span class="masked-dots".*?<\/span>/g, "").replace(/<[^>]+>/g, " ");
    return text.match(/[+\u2212]?\$[\d,]+\.\d{2,6}|—/g) ?? [];
  });
}

const readRows = (markup: string) => readAmounts(markup).map((row) => row.map(cents));

/** Parses a shown amount to micro-units. */
const micro = (text: string) =>
  parseShown(Number(text.replace("\u2212", "-").replace("—", "0").replace(/[$,+]/g, "")));

const anyMicro = fc.bigInt({ min: 1n, max: 10n ** 12n });
const number = microToNumber;
function parseShown(shown: number): bigint {
  const parsed = parseMicro(String(shown));
  if (!parsed.ok) throw new Error(`${shown} is not an amount`);
  return parsed.micro;
}

describe("the statement", () => {
  const anyLine = fc.record({
    kind: fc.constantFrom("buy" as const, "sell" as const),
    gross: anyMicro,
    feePart: fc.bigInt({ min: 0n, max: 70_000n }),
  });
  const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 12 });
  const START = 10n ** 14n + 9_999n;
  const floor = (exact: bigint) => exact - (exact % CENT);
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

  /** Returns the shown rows of a month, oldest first, and of its totals, in micro-units. */
  function renderMonth(drawn: readonly { kind: "buy" | "sell"; gross: bigint; feePart: bigint }[]) {
    let balance = START;
    const entries = drawn.map(({ kind, gross, feePart }, index) => {
      const fee = (gross * feePart) / 1_000_000n;
      const amount = kind === "buy" ? -gross - fee : gross - fee;
      balance += amount;
      return { id: `line${index}`, kind, gross, fee, amount, balance };
    });
    const received = entries.filter(({ amount }) => amount > 0n);
    const paid = entries.filter(({ amount }) => amount < 0n);
    const totals = {
      month: "2026-11",
      lines: entries.length,
      receivedUsdc: number(sum(received.map(({ amount }) => amount))),
      paidUsdc: number(-sum(paid.map(({ amount }) => amount))),
      receivedShownUsdc: number(
        sum(received.map((one) => floor(one.balance) - floor(one.balance - one.amount))),
      ),
      feesUsdc: number(sum(entries.map(({ fee }) => fee))),
      openingUsdc: number(START),
      closingUsdc: number(balance),
    };
    const lines = entries.map((entry) => ({
      id: entry.id,
      kind: entry.kind,
      amountUsdc: number(entry.amount),
      feeUsdc: number(entry.fee),
      balanceUsdc: number(entry.balance),
      market: null,
      orderId: null,
      shares: null,
      price: null,
      createdAt: "2026-11-21T12:00:00.000Z",
    }));
    const render = (shown: Parameters<typeof chooseDecimals>[0] & { month: string }) => {
      const table = createElement(StatementTable, {
        months: [{ totals: shown, lines: lines.toReversed() }],
        decimals: chooseDecimals(shown, false),
        zoneName: "UTC",
      });
      const [month = [], ...rows] = readAmounts(renderToStaticMarkup(table)).slice(1);
      return { month: month.map(micro), rows: rows.map((row) => row.map(micro)).toReversed() };
    };
    return { entries, render, totals };
  }

  it("adds up: balances plus amounts are balances, and the lines of each column are its total", () => {
    fc.assert(
      fc.property(anyLines, (drawn) => {
        const { entries, render, totals } = renderMonth(drawn);
        const { month, rows } = render(totals);
        const [opening = 0n, received = 0n, paid = 0n, beforeFees, fees, change, closing] = month;
        expect(opening + received - paid).toBe(closing);
        const columns = [0, 1, 2].map((column) => sum(rows.map((row) => row[column] ?? 0n)));
        expect(columns).toEqual([beforeFees, fees, change]);
        const amounts = rows.map(([, , amount = 0n]) => amount);
        expect(sum(amounts.filter((amount) => amount > 0n))).toBe(received);
        expect(-sum(amounts.filter((amount) => amount < 0n))).toBe(paid);
        let before = opening;
        for (const [place, [gross, fee, amount = 0n, after = 0n]] of rows.entries()) {
          const entry = entries[place];
          expect(gross).toBe(entry?.kind === "buy" ? -entry.gross : entry?.gross);
          expect(fee).toBe(entry?.fee);
          expect(before + amount).toBe(after);
          expect(amount % CENT).toBe(0n);
          before = after;
        }
      }),
      { numRuns: 40 },
    );
  });

  it("shows exact amounts if a filter leaves lines out, since the balances between them are missing", () => {
    fc.assert(
      fc.property(anyLines, (drawn) => {
        const { entries, render, totals } = renderMonth(drawn);
        const { month, rows } = render({ ...totals, openingUsdc: null, closingUsdc: null });
        const [received = 0n, paid = 0n, beforeFees = 0n, fees = 0n, change] = month;
        expect(received - paid).toBe(change);
        expect(beforeFees - fees).toBe(change);
        expect(rows.map(([, , amount]) => amount)).toEqual(entries.map(({ amount }) => amount));
        expect(sum(entries.map(({ amount }) => amount))).toBe(change);
      }),
      { numRuns: 40 },
    );
  });

  it("shows a trade's amount and fee as the order does", () => {
    // 650 shares at 48 cents, and 108.81 at 24.
    const { render, totals } = renderMonth([
      { kind: "sell", gross: 312_000_000n, feePart: 26_000n },
      { kind: "sell", gross: 26_114_400n, feePart: 0n },
    ]);
    const { rows } = render(totals);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      [312_000_000n, 8_112_000n],
      [26_114_400n, 0n],
    ]);
  });
});

const anyAccount = fc
  .record({
    cash: anyMicro,
    positions: fc.array(fc.record({ cost: anyMicro, value: anyMicro }), { maxLength: 9 }),
    realized: fc.bigInt({ min: -(10n ** 10n), max: 10n ** 10n }),
    fees: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  })
  .map(({ cash, positions, realized, fees }) => {
    const value = positions.reduce((sum, one) => sum + one.value, 0n);
    const unrealized = positions.reduce((sum, one) => sum + one.value - one.cost, 0n);
    return {
      balanceUsdc: number(cash),
      portfolioValue: number(cash + value),
      positionsValue: number(value),
      totalPnl: number(realized + unrealized - fees),
      realizedPnl: number(realized),
      unrealizedPnl: number(unrealized),
      fees: number(fees),
      positions: positions.map((one, index) => ({
        id: `${index}`,
        value: number(one.value),
        pnl: number(one.value - one.cost),
      })),
    };
  });

const POSITION = {
  conditionId: "m",
  marketTitle: "Will it?",
  marketSlug: null,
  iconUrl: null,
  outcome: "Yes",
  shares: 1,
  avgPrice: 0.5,
  currentPrice: 0.5,
  pnlPercent: 0,
  negativeRisk: false,
  redeemable: false,
};

type AnyAccount = typeof anyAccount extends fc.Arbitrary<infer Drawn> ? Drawn : never;
type AnyPosition = typeof POSITION & AnyAccount["positions"][number];

/** Returns the amounts of the portfolio's rows: value and profit, and last the total. */
function renderRows(account: AnyAccount, positions: readonly AnyPosition[]): bigint[][] {
  const table = createElement(PositionsTable, {
    label: "Positions",
    positions,
    totals: showTotals(account, account.positions),
    details: new Map(),
    view: { text: "", sort: "value", isDescending: true, page: 1 },
    range: "1d",
    claim: null,
  });
  return readRows(renderToStaticMarkup(table)).filter((row) => row.length >= 3);
}

/** Returns the amounts of the position bar on the market's page: value and profit. */
function renderBar(position: AnyPosition): bigint[] {
  const initial = { data: { positions: [position], orders: [], fills: [] }, at: 0 };
  const live = { book: BOOK, status: "closed" as const, mark: 0, lastPrice: null };
  const bar = createElement(PositionBar, { slug: "will-it", tickSize: "0.01", feeRate: 0 });
  const own = createElement(OwnMarketProvider, { marketId: "m", initial, children: bar });
  const market = { marketId: "m", tokenId: "1", initial: { data: { live, trades: [] }, at: 0 } };
  const page = createElement(LiveMarketProvider, { ...market, children: own });
  return readRows(`<tr>${renderToStaticMarkup(page)}`)[0] ?? [];
}

const BOOK = {
  marketId: "m",
  tokenId: "1",
  bids: [],
  asks: [],
  tickSize: "0.01" as const,
  at: "2026-11-21T12:00:00.000Z",
};

describe("positions", () => {
  it("add up: cost plus profit is value, cash plus the total is the portfolio value, and rows are at most half a cent each away from the total", () => {
    fc.assert(
      fc.property(anyAccount, (account) => {
        if (account.positions.length === 0) return;
        const positions = account.positions.map((one) => ({ ...POSITION, ...one }));
        const rows = renderRows(account, positions);
        expect(rows).toHaveLength(positions.length + 1);
        const sum = (column: number) =>
          rows.slice(0, -1).reduce((total, row) => total + (row[column] ?? 0n), 0n);
        const [cost = 0n, value = 0n, pnl = 0n] = rows.at(-1) ?? [];
        expect(cost + pnl).toBe(value);
        const shown = (usdc: number) => cents(formatMoney(usdc));
        expect(shown(account.balanceUsdc) + value).toBe(shown(account.portfolioValue));
        expect(pnl).toBe(cents(formatSignedMoney(showProfit(account)?.unrealized ?? NaN)));
        // The total itself is the difference of two shown figures, at most a cent from the exact one.
        const left = value > sum(0) ? value - sum(0) : sum(0) - value;
        expect(left * 2n <= BigInt(positions.length) + 2n).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("have the same value, cost and profit in the portfolio as on their market's page, and cost plus profit is value", () => {
    fc.assert(
      fc.property(anyAccount, (account) => {
        const positions = account.positions.map((one) => ({ ...POSITION, ...one }));
        const rows = renderRows(account, positions);
        for (const [index, position] of positions.entries()) {
          const [value = 0n, pnl = 0n] = rows[index] ?? [];
          expect(renderBar(position)).toEqual([value, pnl]);
          const sheet = showPosition(position);
          expect([cents(formatMoney(sheet.value)), cents(formatSignedMoney(sheet.pnl))]).toEqual([
            value,
            pnl,
          ]);
          expect(cents(formatMoney(sheet.cost)) + pnl).toBe(value);
          expect(value).toBe((parseShown(position.value) + CENT / 2n) / CENT);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are all in the total, which equals the unrealized profit, also those that are folded below", () => {
    const position = {
      conditionId: "m",
      marketTitle: "Will it?",
      marketSlug: "will-it",
      iconUrl: null,
      outcome: "Yes",
      shares: 200,
      avgPrice: 0.5,
      currentPrice: 0.5,
      pnlPercent: 0,
      negativeRisk: false,
      redeemable: false,
    };
    const won = { ...position, id: "1", value: 191.88, pnl: 91.88 };
    const lost = [100, 80].map((cost, index) => ({
      ...position,
      id: `lost${index}`,
      value: 0,
      pnl: -cost,
      redeemable: true,
    }));
    const account = {
      balanceUsdc: 9_000,
      portfolioValue: 9_191.88,
      positionsValue: 191.88,
      totalPnl: -88.12,
      realizedPnl: 0,
      unrealizedPnl: -88.12,
      fees: 0,
      positions: [won, ...lost],
    };
    const list = {
      label: "Positions",
      positions: [won],
      totalOf: account.positions,
      folds: [{ label: "2 settled at $0.00", positions: lost }],
      totals: showTotals(account, account.positions),
      details: new Map(),
      claim: null,
    };
    const view = { text: "", sort: "value" as const, isDescending: true, page: 1 };
    const { unrealized } = showProfit(account) ?? {};
    expect(unrealized).toBe(-88.12);
    for (const element of [
      createElement(PositionsTable, { ...list, view, range: "1d" }),
      createElement(PositionRows, list),
    ]) {
      const text = readText(renderToStaticMarkup(element));
      const [, folded = "", total = ""] =
        /(2 settled at \$0\.00, listed below.*)(Total of .*)/.exec(text) ?? [];
      expect(folded).toContain("\u2212$180.00");
      expect(total).toMatch(/^Total of 3 positions cost \$280\.00 \$191\.88 ▼ \u2212\$88\.12/);
    }
  });

  it("show a cost that doesn't depend on prices, and no profit without a price change", () => {
    const show = (value: number) =>
      showPosition({ value, pnl: Math.round((value - 10.0044) * 1e6) / 1e6 });
    expect(show(10.0044)).toEqual({ cost: 10, value: 10, pnl: 0 });
    for (const value of [9.5, 10.0049, 10.005, 10.015, 12.3456]) expect(show(value).cost).toBe(10);
  });

  it("that are filtered have totals of their own, and the rest of the account isn't in them", () => {
    const positions = [
      { id: "1", value: 10.006, pnl: 1 },
      { id: "2", value: 20.007, pnl: -2.5 },
    ];
    const account = { balanceUsdc: 5, portfolioValue: 35.013, positions };
    expect(showTotals(account, positions)).toEqual({ cost: 31.52, value: 30.01, pnl: -1.51 });
    expect(showTotals(account, positions.slice(0, 1))).toEqual({
      cost: 9.01,
      value: 10.01,
      pnl: 1,
    });
  });

  it("differ by less than a cent from their exact value, except for the cents that complete the sum", () => {
    fc.assert(
      fc.property(fc.array(anyMicro, { minLength: 1, maxLength: 9 }), (parts) => {
        const total = parts.reduce((sum, part) => sum + part, 0n);
        const cells = apportion(parts, total - (total % CENT));
        expect(cells.reduce((sum, cell) => sum + cell, 0n)).toBe(total - (total % CENT));
        for (const [index, cell] of cells.entries()) {
          const off = cell - (parts[index] ?? 0n);
          expect(off > -CENT && off < CENT && cell % CENT === 0n).toBe(true);
        }
      }),
    );
  });
});

describe("the total profit", () => {
  it("equals realized plus unrealized minus fees, to the cent", () => {
    fc.assert(
      fc.property(anyAccount, (account) => {
        const parts = showProfit(account);
        if (!parts) throw new Error("the parts are known");
        const shown = (usdc: number) => cents(formatSignedMoney(usdc));
        expect(shown(parts.realized) + shown(parts.unrealized) - shown(parts.fees)).toBe(
          shown(account.totalPnl),
        );
        const off = parseShown(parts.realized) - parseShown(account.realizedPnl);
        expect(off > -2n * CENT && off < 3n * CENT).toBe(true);
      }),
    );
  });

  it("is shown with its parts, which are unknown if the venue reports only the total", () => {
    const data = {
      balanceUsdc: 90,
      availableUsdc: 90,
      reservedUsdc: 0,
      positionsValue: 11,
      portfolioValue: 101,
      totalPnl: 1,
      realizedPnl: 0.4,
      unrealizedPnl: 0.7,
      fees: 0.1,
      netDeposits: 100,
      openOrders: 0,
    };
    const render = (changes: object) => {
      const initial = { data: { ...data, ...changes }, at: 0 };
      const parts = [AccountValue, AccountBreakdown].map((part) =>
        createElement(part, { initial }),
      );
      return readText(renderToStaticMarkup(createElement(Fragment, null, ...parts)));
    };
    const computed = ", how this is computed";
    const known = render({});
    expect(known).toContain("Portfolio value $101.00 ▲ +$1.00 (+1.0%) all time");
    expect(known).toContain(`Realized ${computed} ▲ +$0.40`);
    expect(known).toContain(`Unrealized ${computed} ▲ +$0.70`);
    expect(known).toContain(`Fees ${computed} $0.10`);
    expect(known).toContain("total P&amp;L, after fees 1.00 USDC");
    const unknown = render({ realizedPnl: null, fees: null, netDeposits: null });
    expect(unknown).toContain(`Realized ${computed} —`);
    expect(unknown).toContain(`Fees ${computed} —`);
    expect(unknown).toContain("▲ +$1.00 all time");
  });
});

describe("fees", () => {
  it("are the same cents on the portfolio, in the proof, and of a closed position", () => {
    fc.assert(
      fc.property(anyAccount, fc.bigInt({ min: 0n, max: 10n ** 9n }), (account, bought) => {
        const { fees } = account;
        const received = parseShown(fees) + 2n * bought;
        const flows = [number(received), number(-bought), 0, -fees, 0];
        const cashUsdc = number(received - bought - parseShown(fees));
        const closed = { boughtUsdc: number(bought), receivedUsdc: number(received), fees };
        const shown = [
          showProfit(account)?.fees,
          0 - (showProof({ flows, feesAt: 3, cashUsdc, totalUsdc: cashUsdc }).flows[3] ?? NaN),
          showClosedPosition(closed).fees,
        ].map((usdc) => formatMoney(usdc ?? null));
        expect(new Set(shown)).toEqual(new Set([formatMoney(fees, "up")]));
      }),
    );
  });
});

describe("a closed position", () => {
  it("adds up: received minus bought minus fees is its profit, which is never overstated", () => {
    fc.assert(
      fc.property(fc.tuple(anyMicro, anyMicro, anyMicro), ([bought, received, fees]) => {
        const shown = showClosedPosition({
          boughtUsdc: number(bought),
          receivedUsdc: number(received),
          fees: number(fees),
        });
        const [spent, got, paid, pnl] = [shown.bought, shown.received, shown.fees, shown.pnl].map(
          (usdc) => parseShown(usdc),
        );
        expect((got ?? 0n) - (spent ?? 0n) - (paid ?? 0n)).toBe(pnl);
        const off = (pnl ?? 0n) - (received - bought - fees);
        expect(off <= 0n && off > -3n * CENT).toBe(true);
        expect(formatMoney(shown.bought)).toBe(formatMoney(number(bought), "up"));
        expect(formatMoney(shown.received)).toBe(formatMoney(number(received)));
      }),
    );
  });
});

describe("the ledger proof", () => {
  const anyProof = fc.record({
    flows: fc.array(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), {
      minLength: 4,
      maxLength: 5,
    }),
    positions: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  });

  it("adds up: the flows are the cash, cash and positions are the total, each within a cent", () => {
    fc.assert(
      fc.property(anyProof, ({ flows, positions }) => {
        const cash = flows.reduce((sum, flow) => sum + flow, 0n);
        const [cashUsdc, totalUsdc] = [number(cash), number(cash + positions)];
        const shown = showProof({ flows: flows.map(number), feesAt: 3, cashUsdc, totalUsdc });
        const inCents = (usdc: number) => parseShown(usdc) / CENT;
        const sumOfFlows = shown.flows.reduce((sum, flow) => sum + inCents(flow), 0n);
        expect(sumOfFlows).toBe(inCents(shown.cash));
        expect(inCents(shown.cash) + inCents(shown.positions)).toBe(inCents(shown.total));
        expect(formatMoney(shown.total)).toBe(formatMoney(totalUsdc));
        for (const [at, flow] of flows.entries()) {
          const difference = parseShown(shown.flows[at] ?? 0) - flow;
          expect(difference > -CENT && difference < CENT).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
