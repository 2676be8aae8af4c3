import fc from "fast-check";
import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PositionRows } from "@/app/(dashboard)/_positions/position-rows";
import { PositionsTable } from "@/app/(dashboard)/_positions/positions-table";
import { chooseStyle } from "@/components/activity/line-parts";
import { StatementTable } from "@/components/activity/statement-table";
import {
  apportion,
  showClosedPosition,
  showClosedTotals,
  showPosition,
  showLimit,
  showProof,
  showTotals,
} from "@/components/format/sums";
import { formatMoney, formatSignedMoney } from "@/components/format/numbers";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OwnMarketProvider } from "@/components/trading/order-book/own-market";
import { PositionBar } from "@/components/trading/position/position-bar";
import { AccountBreakdown } from "@/components/portfolio/account-breakdown";
import { AccountValue } from "@/components/portfolio/account-value";
import { microToNumber, parseMicro, usdc as toUsdc } from "@/lib/units";

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
  const nearest = (exact: bigint) => halfUp(exact) * CENT;
  /** Returns the rounding and the balance at the end of a row. Without a rounded line, the first is missing. */
  const splitEnd = (end: readonly bigint[]) =>
    [end.length === 2 ? (end[0] ?? 0n) : 0n, end.at(-1) ?? 0n] as const;
  const NONE = { kind: "buy", gross: 0n, fee: 0n, amount: 0n, balance: 0n } as const;
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

  type ShownMonth = Parameters<typeof chooseStyle>[0] & { month: string };

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
    const render = (shown: ShownMonth, isExact = false) => {
      const table = createElement(StatementTable, {
        months: [{ totals: shown, lines: lines.toReversed() }],
        style: chooseStyle(shown, isExact),
        zoneName: "UTC",
      });
      const markup = renderToStaticMarkup(table);
      const [month = [], ...rows] = readAmounts(markup).slice(1);
      return {
        month: month.map(micro),
        rows: rows.map((row) => row.map(micro)).toReversed(),
        decimals: new Set(
          readText(markup)
            .match(/(?<=\$[\d,]*\.)\d+/g)
            ?.map(({ length }) => length),
        ),
      };
    };
    return { entries, render, totals };
  }

  it("adds up in cents: each balance is the one before plus amount and rounding, each amount is to the nearest cent", () => {
    fc.assert(
      fc.property(anyLines, (drawn) => {
        const { entries, render, totals } = renderMonth(drawn);
        const { month, rows, decimals } = render(totals);
        expect([...decimals]).toEqual([2]);
        const [opening = 0n, received = 0n, paid = 0n, fees, change, ...end] = month;
        const amounts = entries.map(({ amount }) => amount);
        expect(opening).toBe(nearest(START));
        expect(received).toBe(nearest(sum(amounts.filter((amount) => amount > 0n))));
        expect(paid).toBe(nearest(-sum(amounts.filter((amount) => amount < 0n))));
        expect(fees).toBe(nearest(sum(entries.map(({ fee }) => fee))));
        expect(received - paid).toBe(change);
        const [monthRounding, closing] = splitEnd(end);
        expect(opening + received - paid + monthRounding).toBe(closing);
        let before = opening;
        for (const [place, row] of rows.entries()) {
          const { fee: exactFee, amount: exact, balance } = entries[place] ?? NONE;
          const [fee, amount = 0n, ...rest] = row;
          const [rounding, after] = splitEnd(rest);
          expect(amount).toBe(nearest(exact));
          expect(fee).toBe(nearest(exactFee));
          expect([-CENT, 0n, CENT]).toContain(rounding);
          expect(before + amount + rounding).toBe(after);
          expect(after).toBe(nearest(balance));
          before = after;
        }
      }),
      { numRuns: 40 },
    );
  });

  it("has no rounding if a filter leaves lines out, since the balances between them are missing", () => {
    const { render, totals } = renderMonth([
      { kind: "sell", gross: 13_260_800n, feePart: 36_000n },
      { kind: "buy", gross: 79_999_400n, feePart: 30_000n },
    ]);
    const { month, rows } = render({ ...totals, openingUsdc: null, closingUsdc: null });
    // In, out, fees and amount.
    expect(month).toEqual([12_780_000n, 82_400_000n, 2_880_000n, -69_620_000n]);
    expect(rows.map((row) => row.length)).toEqual([3, 3]);
  });

  it("has six decimals in each amount if they are exact, and adds up to the millionth", () => {
    fc.assert(
      fc.property(anyLines, (drawn) => {
        const { entries, render, totals } = renderMonth(drawn);
        const { month, rows, decimals } = render(totals, true);
        expect([...decimals]).toEqual([6]);
        const [opening = 0n, received = 0n, paid = 0n, beforeFees, fees, change, closing] = month;
        expect(opening + received - paid).toBe(closing);
        const columns = [0, 1, 2].map((column) => sum(rows.map((row) => row[column] ?? 0n)));
        expect(columns).toEqual([beforeFees, fees, change]);
        let before = opening;
        for (const [place, [gross, fee, amount = 0n, after = 0n]] of rows.entries()) {
          const entry = entries[place];
          expect(gross).toBe(entry?.kind === "buy" ? -entry.gross : entry?.gross);
          expect(fee).toBe(entry?.fee);
          expect(before + amount).toBe(after);
          before = after;
        }
      }),
      { numRuns: 40 },
    );
  });

  it("shows a sale with the cents of its notification, and says where a cent is left", () => {
    // 13.2608 less a fee of 0.477378; the balance before ends with 0.9999 of a cent.
    const { render, totals } = renderMonth([
      { kind: "sell", gross: 13_260_800n, feePart: 35_999n },
    ]);
    const [row] = render({ ...totals }).rows;
    expect(row?.slice(0, 2)).toEqual([480_000n, 12_780_000n]);
    expect(formatMoney(12.783422)).toBe("$12.78");
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
    totals: showTotals(account.positions),
    details: new Map(),
    view: { text: "", sort: "value", isDescending: true, page: 1 },
    range: "1d",
    claim: null,
    claiming: [],
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
  it("have totals that are the exact sums, each rounded half up, and rows are at most half a cent each away from them", () => {
    fc.assert(
      fc.property(anyAccount, (account) => {
        if (account.positions.length === 0) return;
        const positions = account.positions.map((one) => ({ ...POSITION, ...one }));
        const rows = renderRows(account, positions);
        expect(rows).toHaveLength(positions.length + 1);
        const sum = (column: number) =>
          rows.slice(0, -1).reduce((total, row) => total + (row[column] ?? 0n), 0n);
        const [cost = 0n, value = 0n, pnl = 0n] = rows.at(-1) ?? [];
        const [exactValue, exactPnl] = [account.positionsValue, account.unrealizedPnl].map(
          parseShown,
        );
        expect(value).toBe(halfUp(exactValue ?? 0n));
        expect(pnl).toBe(halfUp(exactPnl ?? 0n));
        expect(cost).toBe(halfUp((exactValue ?? 0n) - (exactPnl ?? 0n)));
        expect(pnl).toBe(cents(formatSignedMoney(account.unrealizedPnl)));
        const left = value > sum(0) ? value - sum(0) : sum(0) - value;
        expect(left * 2n <= BigInt(positions.length) + 1n).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("that are few have a total that a reader gets from the rows", () => {
    const rows = [
      { id: "1", value: 291.1284, pnl: -5.6016 },
      { id: "2", value: 97.9572, pnl: -2.0378 },
    ];
    expect(rows.map((row) => [showPosition(row).value, showPosition(row).pnl])).toEqual([
      [291.13, -5.6],
      [97.96, -2.04],
    ]);
    expect(showTotals(rows)).toEqual({ cost: 396.73, value: 389.09, pnl: -7.64 });
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
      folds: [{ label: "2 settled at $0.00, listed below", positions: lost }],
      totals: showTotals(account.positions),
      details: new Map(),
      claim: null,
      claiming: [],
    };
    const view = { text: "", sort: "value" as const, isDescending: true, page: 1 };
    expect(formatSignedMoney(account.unrealizedPnl)).toBe("\u2212$88.12");
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
    expect(showTotals(positions)).toEqual({ cost: 31.51, value: 30.01, pnl: -1.5 });
    expect(showTotals(positions.slice(0, 1))).toEqual({ cost: 9.01, value: 10.01, pnl: 1 });
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

/** Rounds micro-units to cents, half up, and a loss like its positive. */
function halfUp(exact: bigint): bigint {
  return exact < 0n ? -halfUp(-exact) : (exact + CENT / 2n) / CENT;
}

describe("the total profit", () => {
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
      waitingOrders: 0,
      openBuys: 0,
    };
    const render = (changes: object) => {
      const initial = { data: { ...data, ...changes }, at: 0 };
      const parts = [
        createElement(AccountValue, { initial, base: null }),
        createElement(AccountBreakdown, { initial }),
      ];
      return readText(renderToStaticMarkup(createElement(Fragment, null, ...parts)));
    };
    const computed = ", how this is computed";
    const known = render({});
    expect(known).toContain("Portfolio value $101.00 ▲ +$1.00 (+1.0%) all time");
    expect(known).toContain(`Realized ${computed} ▲ +$0.40`);
    expect(known).toContain(`Unrealized ${computed} ▲ +$0.70`);
    expect(known).toContain(`Fees ${computed} $0.10`);
    expect(known).toContain("Total P&amp;L, after fees $1.00");
    expect(known).toContain("each figure is rounded by itself");
    const unknown = render({ realizedPnl: null, fees: null, netDeposits: null });
    expect(unknown).toContain(`Realized ${computed} —`);
    expect(unknown).toContain(`Fees ${computed} —`);
    expect(unknown).toContain("▲ +$1.00 all time");
  });

  it("has cash in orders that the open buys reserve, without the sells", () => {
    const read = (openBuys: number) => {
      const data = {
        balanceUsdc: 90,
        availableUsdc: 80,
        reservedUsdc: 10,
        positionsValue: 0,
        portfolioValue: 90,
        totalPnl: 0,
        realizedPnl: 0,
        unrealizedPnl: 0,
        fees: 0,
        netDeposits: 90,
        openOrders: 4,
        waitingOrders: 0,
        openBuys,
      };
      const initial = { data, at: 0 };
      return readText(renderToStaticMarkup(createElement(AccountBreakdown, { initial })));
    };
    expect(read(3)).toContain("Reserved by 3 open buys");
    expect(read(1)).toContain("Reserved by 1 open buy ");
  });

  it("is replaced by the profit of the chart's range", () => {
    const data = {
      balanceUsdc: 90,
      availableUsdc: 90,
      reservedUsdc: 0,
      positionsValue: 11,
      portfolioValue: 101.1,
      totalPnl: -1,
      realizedPnl: 0.4,
      unrealizedPnl: 0.7,
      fees: 0.1,
      netDeposits: 102.1,
      openOrders: 0,
      waitingOrders: 0,
      openBuys: 0,
    };
    const base = { usdc: 100, title: "last day" };
    const text = readText(
      renderToStaticMarkup(createElement(AccountValue, { initial: { data, at: 0 }, base })),
    );
    expect(text).toContain("Portfolio value $101.10 ▲ +$1.10 (+1.1%) last day");
  });

  it("has parts that don't depend on each other: no purchase or price moves the realized one", () => {
    const summary = (changes: object) => ({
      balanceUsdc: 9_592.4439,
      availableUsdc: 9_592.4439,
      reservedUsdc: 0,
      positionsValue: 389.0856,
      portfolioValue: 9_981.5295,
      totalPnl: -18.4705,
      realizedPnl: -2.01,
      unrealizedPnl: -7.6394,
      fees: 8.8211,
      netDeposits: 10_000,
      openOrders: 0,
      waitingOrders: 0,
      openBuys: 0,
      ...changes,
    });
    const read = (changes: object) => {
      const initial = { data: summary(changes), at: 0 };
      const text = readText(renderToStaticMarkup(createElement(AccountBreakdown, { initial })));
      const figure = (label: string) =>
        new RegExp(`${label} , how this is computed (?:[▲▼] )?(\\S+)`).exec(text)?.[1];
      return ["Positions", "Realized", "Unrealized", "Fees"].map(figure);
    };
    const shown = ["$389.09", "\u2212$2.01", "\u2212$7.64", "$8.82"];
    expect(read({})).toEqual(shown);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), (paid) => {
        // A purchase: cash becomes a position, and other parts of the account don't move.
        const balanceUsdc = Math.round(9_592_443_900 - paid) / 1e6;
        const totalPnl = Math.round(-18_470_500 - paid) / 1e6;
        const portfolioValue = Math.round(9_981_529_500 - paid) / 1e6;
        expect(read({ balanceUsdc, totalPnl, portfolioValue })).toEqual(shown);
      }),
    );
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
          0 -
            (showProof({ flows, cashUsdc, positionsUsdc: 0, totalUsdc: cashUsdc }).flows[3] ?? NaN),
          showClosedPosition(closed).fees,
        ].map((usdc) => formatMoney(usdc));
        expect(new Set(shown)).toEqual(new Set([formatMoney(fees)]));
      }),
    );
  });
});

describe("a closed position", () => {
  it("adds up: received minus bought minus fees is its profit", () => {
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
        expect(2n * off <= 3n * CENT && 2n * off >= -3n * CENT).toBe(true);
        expect(formatMoney(shown.bought)).toBe(formatMoney(number(bought)));
        expect(formatMoney(shown.received)).toBe(formatMoney(number(received)));
      }),
    );
  });
});

describe("the total of closed positions", () => {
  it("has the exact sums, each to the nearest cent", () => {
    const position = { boughtUsdc: 10.004, receivedUsdc: 12.006, fees: 0.004, pnl: 1.998 };
    expect(showClosedTotals([position, position])).toEqual({
      bought: 20.01,
      received: 24.01,
      fees: 0.01,
      pnl: 4,
    });
  });
});

describe("a limit", () => {
  it("adds up: what is left, used and reserved are the limit, each within a cent", () => {
    fc.assert(
      fc.property(anyMicro, anyMicro, anyMicro, (used, reserved, remaining) => {
        const limit = used + reserved + remaining;
        const shown = showLimit({
          limit: toUsdc(limit),
          used: toUsdc(used),
          reserved: toUsdc(reserved),
          remaining: toUsdc(remaining),
        });
        const parts = [shown.used, shown.reserved, shown.remaining].map((part) => parseShown(part));
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(parseShown(shown.limit));
        expect(formatMoney(shown.limit)).toBe(formatMoney(number(limit)));
        for (const [at, exact] of [used, reserved, remaining].entries()) {
          const off = (parts[at] ?? 0n) - exact;
          expect(off > -CENT && off < CENT).toBe(true);
        }
      }),
    );
  });

  it("that is exceeded leaves nothing, and its parts are rounded by themselves", () => {
    const shown = showLimit({
      limit: toUsdc(5_000_000n),
      used: toUsdc(6_019_000n),
      reserved: toUsdc(1_005_000n),
      remaining: toUsdc(0n),
    });
    expect(shown).toEqual({ limit: 5, used: 6.02, reserved: 1.01, remaining: 0 });
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

  it("adds up: flows and rounding are the cash; cash, positions and rounding the total, each to the nearest cent", () => {
    fc.assert(
      fc.property(anyProof, ({ flows, positions }) => {
        const cash = flows.reduce((sum, flow) => sum + flow, 0n);
        const shown = showProof({
          flows: flows.map(number),
          cashUsdc: number(cash),
          positionsUsdc: number(positions),
          totalUsdc: number(cash + positions),
        });
        const inCents = (usdc: number) => parseShown(usdc) / CENT;
        const sumOfFlows = [...shown.flows, shown.flowsRounding].map(inCents);
        expect(sumOfFlows.reduce((sum, flow) => sum + flow, 0n)).toBe(inCents(shown.cash));
        expect(inCents(shown.cash) + inCents(shown.positions) + inCents(shown.totalRounding)).toBe(
          inCents(shown.total),
        );
        for (const [exact, usdc] of [
          [cash, shown.cash],
          [positions, shown.positions],
          [cash + positions, shown.total],
          ...flows.map((flow, at) => [flow, shown.flows[at] ?? Number.NaN] as const),
        ] as const) {
          expect(inCents(usdc)).toBe(halfUp(exact));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
