import { describe, expect, it } from "vitest";
import {
  describeBlock,
  formatFixLabel,
  describeIssue,
  describeWarning,
} from "@/components/trading/wording";
import { assess } from "@/lib/domain/ticket/assess";
import type { TicketContext } from "@/lib/domain/ticket/context";
import type { TicketForm } from "@/lib/domain/ticket/form";
import { mirrorBook, separateOwn } from "@/lib/domain/ticket/book";
import { findUnplaceable } from "@/lib/domain/ticket/issues";
import {
  cents,
  count,
  dollars,
  ticketContext,
  ticketForm,
  VECTOR_BOOK,
} from "@/tests/support/domain/ticket";
import { mustConfirm } from "@/lib/domain/ticket/must-review";

const FUNDS = ticketContext().funds;
const funds = (changes: object) => ({ funds: { ...FUNDS, ...changes } as TicketContext["funds"] });

/** Returns the ticket's texts: issues with their button labels, then warnings. */
function texts(fields: Partial<TicketForm>, changes: Partial<TicketContext> = {}) {
  const context = ticketContext(changes);
  const { issues, warnings } = assess(ticketForm(fields), context);
  const withFix = (text: string, of: { kind: string; fix?: never }) => {
    const label = formatFixLabel(of);
    return label === null ? text : `${text} [${label}]`;
  };
  return {
    issues: issues.map((issue) => withFix(describeIssue(issue), issue as never)),
    warnings: warnings.map((warning) =>
      withFix(describeWarning(warning, context.rules.tick), warning as never),
    ),
  };
}

const listIssues = (fields: Partial<TicketForm>, changes: Partial<TicketContext> = {}) =>
  texts(fields, changes).issues;

const OWN = { status: "open", filledShares: 0 };
const BUY = { action: "BUY", type: "limit", price: "60", shares: "100" } as const;
const SELL = { action: "SELL", type: "limit", price: "70", shares: "100" } as const;
const SPEND = { action: "BUY", type: "market" } as const;
const DUMP = { action: "SELL", type: "market" } as const;

describe("the issues of a ticket", () => {
  it.each<[string, Partial<TicketForm>, string]>([
    ["V02 no amount", SPEND, "Enter an amount."],
    ["V02 an amount of nothing", { ...SPEND, amount: "0.00" }, "Enter an amount."],
    ["V02 no shares", DUMP, "Enter a number of shares."],
    ["V03 not a number", { ...SPEND, amount: "1.234" }, "Enter a number, like 25 or 25.50."],
    ["V04 no limit price", { ...BUY, price: "" }, "Enter a limit price."],
    [
      "V05 a fraction",
      { ...BUY, price: "0.62" },
      "Prices are in cents. Did you mean 62¢? [Use 62¢]",
    ],
    ["V06 a dollar and more", { ...BUY, price: "120" }, "Price must be between 1¢ and 99¢."],
    [
      "V07 between two ticks",
      { ...BUY, price: "62.4" },
      "This market trades in steps of 1¢. Use 62¢ or 63¢.",
    ],
    ["V08 too few shares", { ...BUY, shares: "4.99" }, "Minimum order is 5 shares."],
    ["V09 too little money", { ...SPEND, amount: "0.99" }, "Minimum market buy is $1.00."],
    [
      "a number beyond what an order may be for",
      { ...SPEND, amount: "1000000000" },
      "The maximum order is $10,000,000.00.",
    ],
    [
      "a number beyond what anything can be counted in",
      { ...BUY, shares: "9".repeat(20) },
      "The maximum order is 10,000,000 shares.",
    ],
    [
      "a price beyond counting",
      { ...BUY, price: "9".repeat(20) },
      "Price must be between 1¢ and 99¢.",
    ],
    ["V13 three decimals", { ...SPEND, amount: "25.1234" }, "Use at most 2 decimals."],
    ["V13 three decimals of shares", { ...BUY, shares: "0.125" }, "Use at most 2 decimals."],
  ])("%s", (_name, fields, text) => {
    expect(listIssues(fields)).toEqual([text]);
  });

  it("V06 and V07 name the market's own tick", () => {
    const rules = { ...ticketContext().rules, tick: cents(0.25) };
    expect(listIssues({ ...BUY, price: "62.4" }, { rules })).toEqual([
      "This market trades in steps of 0.25¢. Use 62.25¢ or 62.5¢.",
    ]);
    expect(listIssues({ ...BUY, price: "99.8" }, { rules })).toEqual([
      "Price must be between 0.25¢ and 99.75¢.",
    ]);
  });

  it("V08 applies to limit orders only", () => {
    expect(listIssues({ ...DUMP, shares: "0.01" })).toEqual([]);
  });

  it("a limit buy that fills immediately needs the minimum of a market buy", () => {
    const book = { bids: [], asks: [{ price: cents(10), shares: count(50) }] };
    expect(listIssues({ ...BUY, price: "10", shares: "5" }, { book })).toEqual([
      "A buy that fills immediately must be at least $1.00.",
    ]);
    expect(listIssues({ ...BUY, price: "9", shares: "5" }, { book })).toEqual([]);
  });

  it("V10 an order above the available cash offers the maximum", () => {
    const poor = funds({ available: dollars(812.4) });
    expect(listIssues({ ...BUY, shares: "1500" }, poor)).toEqual([
      "You have $812.40 available. This order needs up to $900.00. [Use max]",
    ]);
    expect(listIssues({ ...SPEND, amount: "812.41" }, poor)).toHaveLength(1);
    expect(listIssues({ ...SPEND, amount: "812.40" }, poor)).toEqual([]);
  });

  it("V10 names the available cash as the page does, but never as much as the order needs", () => {
    const poor = funds({ available: dollars(812.396) });
    expect(listIssues({ ...SPEND, amount: "900" }, poor)).toEqual([
      "You have $812.40 available. This order needs up to $900.00. [Use max]",
    ]);
    expect(listIssues({ ...SPEND, amount: "812.40" }, poor)).toEqual([
      "You have $812.39 available. This order needs up to $812.40. [Use max]",
    ]);
  });

  it("V10 the maximum of a market buy can fill within the worst price, that of a limit buy is all cash", () => {
    const poor = ticketContext(funds({ available: dollars(812.4) }));
    const findMax = (fields: Partial<TicketForm>) =>
      assess(ticketForm(fields), poor).issues[0]?.fix?.text;
    expect(findMax({ ...SPEND, amount: "900" })).toBe("544.5");
    expect(findMax({ ...SPEND, unit: "shares", shares: "1500" })).toBe("850");
    expect(findMax({ ...BUY, shares: "1500" })).toBe("1354");
    expect(texts({ ...SPEND, amount: "544.50" }).warnings).toHaveLength(1);
  });

  it("V10 includes the fee in the maximum", () => {
    const rules = { ...ticketContext().rules, feeRate: 70_000n };
    const context = { rules, ...funds({ available: dollars(100) }) };
    const { issues } = assess(ticketForm({ ...SPEND, amount: "100" }), ticketContext(context));
    const max = issues[0]?.fix?.text ?? "";
    expect(listIssues({ ...SPEND, amount: max }, context)).toEqual([]);
    const more = (Number(max) + 0.01).toFixed(2);
    expect(listIssues({ ...SPEND, amount: more }, context)).toHaveLength(1);
  });

  it("V11 a sell above the free shares names the shares in open orders", () => {
    const some = funds({ free: count(120.31), reserved: count(40) });
    expect(listIssues({ ...SELL, shares: "160" }, some)).toEqual([
      "You can sell 120.31 shares. 40 are in open orders. [Use max]",
    ]);
    expect(listIssues({ ...SELL, shares: "160" }, funds({ free: count(120.31) }))).toEqual([
      "You can sell 120.31 shares. [Use max]",
    ]);
    expect(listIssues({ ...SELL, shares: "120.31" }, some)).toEqual([]);
  });

  it("V12 a low allowance is an issue, an unknown one only a warning", () => {
    expect(listIssues(BUY, funds({ approved: dollars(59.99) }))).toEqual([
      "USDC spending isn’t approved for this order.",
    ]);
    expect(listIssues(BUY, funds({ approved: dollars(60) }))).toEqual([]);
    expect(texts(BUY, funds({ approved: null }))).toEqual({
      issues: [],
      warnings: ["We can’t confirm spending approval."],
    });
    expect(texts(SELL, funds({ approved: null })).warnings).toEqual([]);
  });

  it("V14 a market order needs liquidity", () => {
    const book = { bids: [], asks: [] };
    expect(listIssues({ ...SPEND, amount: "25" }, { book })).toEqual([
      "No one is selling right now. Use a limit order.",
    ]);
    expect(listIssues({ ...DUMP, shares: "25" }, { book })).toEqual([
      "No one is buying right now. Use a limit order.",
    ]);
    expect(listIssues(BUY, { book })).toEqual([]);
  });

  it("lists every wrong field, the price first", () => {
    expect(listIssues({ ...BUY, price: "", shares: "" })).toEqual([
      "Enter a limit price.",
      "Enter a number of shares.",
    ]);
  });
});

describe("the warnings of a ticket", () => {
  it("V15 names the part that fills within the worst price", () => {
    expect(texts({ ...SPEND, amount: "1000" }).warnings[1]).toBe(
      "Only $544.50 of $1,000.00 can fill at 67¢ or better. The rest won’t be bought. [Use $544.50]",
    );
    expect(texts({ ...DUMP, shares: "900" }).warnings[1]).toBe(
      "Only 820 of 900 shares can fill at 56¢ or better. The rest won’t be sold. [Use 820 shares]",
    );
    expect(texts({ ...SPEND, amount: "544.50" }).warnings).toHaveLength(1);
  });

  it("V15 names the same amount in its sentence and on its button", () => {
    const asks = [{ price: cents(62), shares: count(852.02) }];
    expect(texts({ ...SPEND, amount: "1000" }, { book: { bids: [], asks } }).warnings).toEqual([
      "Only $528.26 of $1,000.00 can fill at 67¢ or better. The rest won’t be bought. [Use $528.26]",
    ]);
  });

  it("V16 names the distance of the average from the best price", () => {
    expect(texts({ ...SPEND, amount: "500" }).warnings).toEqual([
      "You’ll pay 64¢ on average, 2¢ above the best price.",
    ]);
    expect(texts({ ...DUMP, shares: "820" }).warnings).toEqual([
      "You’ll receive 58.7¢ on average, 2.3¢ below the best price.",
    ]);
  });

  it("V17 names the immediate fills of a limit order", () => {
    expect(texts({ ...BUY, price: "63", shares: "300" }).warnings).toEqual([
      "Fills now: 300 shares at about 62.7¢.",
    ]);
  });

  it("an order that meets the account's own orders says that it cancels them, in their own words", () => {
    const orders = [
      { ...OWN, action: "BUY", outcome: "Yes", price: 0.61, shares: 40, filledShares: 10 },
      { ...OWN, action: "SELL", outcome: "No", price: 0.4, shares: 20 },
      { ...OWN, action: "SELL", outcome: "Yes", price: 0.62, shares: 5 },
      { ...OWN, action: "BUY", outcome: "Yes", price: 0.2, shares: 7 },
      { ...OWN, status: "delayed", action: "BUY", outcome: "Yes", price: 0.61, shares: 9 },
    ] as const;
    const book = separateOwn(VECTOR_BOOK, "Yes", orders);
    const text = "Cancels your buy of Yes at 61¢ and your sell of No at 40¢.";
    const sale = { action: "SELL", type: "limit", price: "57", shares: "500" } as const;
    expect(texts(sale, { book }).warnings).toContain(text);
    expect(
      texts(
        { ...sale, action: "BUY", price: "43" },
        { book: separateOwn(mirrorBook(VECTOR_BOOK), "No", orders) },
      ).warnings,
    ).toContain(text);
    // 90 of others at 61¢: the order is complete before 60¢.
    expect(texts({ ...sale, shares: "90" }, { book }).warnings).toContain(
      "Cancels your buy of Yes at 61¢.",
    );
    expect(listIssues({ ...sale, postOnly: true, price: "61" }, { book })).toEqual([
      "This order would fill immediately. Raise the price, or turn off post only. [Use 62¢]",
    ]);
  });

  it("an order that meets many of the account's own orders counts them", () => {
    const order = { ...OWN, action: "BUY", outcome: "Yes", price: 0.61, shares: 1 } as const;
    const book = separateOwn(
      VECTOR_BOOK,
      "Yes",
      Array.from({ length: 200 }, () => order),
    );
    const sale = { action: "SELL", type: "limit", price: "57", shares: "500" } as const;
    expect(texts(sale, { book }).warnings).toContain("Cancels 200 of your orders.");
  });

  it("a market order finds no one to trade with if all orders are the account's own", () => {
    const bids = [{ price: cents(61), shares: count(40) }];
    const own = { ...OWN, action: "BUY", outcome: "Yes", price: 0.61, shares: 40 } as const;
    const book = separateOwn({ bids, asks: [] }, "Yes", [own]);
    expect(listIssues({ ...DUMP, shares: "10" }, { book })).toEqual([
      "No one is buying right now. Use a limit order.",
    ]);
  });

  it("V20 a limit far beyond the best price must be confirmed", () => {
    const { warnings } = assess(ticketForm({ ...BUY, price: "87" }), ticketContext());
    expect(warnings.map((warning) => describeWarning(warning, cents(1)))).toEqual([
      "Your limit is 25¢ above the best offer. Check the price.",
      "Fills now: 100 shares at about 62¢.",
    ]);
    expect(mustConfirm(warnings)).toBe(true);
    expect(texts({ ...SELL, price: "36" }).warnings[0]).toBe(
      "Your limit is 25¢ below the best bid. Check the price.",
    );
    expect(mustConfirm(assess(ticketForm({ ...BUY, price: "82" }), ticketContext()).warnings)).toBe(
      false,
    );
  });

  it("a severe impact must be confirmed, a small one only shown", () => {
    const thin = {
      bids: [],
      asks: [
        { price: cents(5), shares: count(10) },
        { price: cents(9), shares: count(500) },
      ],
    };
    const severe = assess(ticketForm({ ...SPEND, amount: "20" }), ticketContext({ book: thin }));
    expect(mustConfirm(severe.warnings)).toBe(true);
    const mild = assess(ticketForm({ ...SPEND, amount: "500" }), ticketContext());
    expect(mustConfirm(mild.warnings)).toBe(false);
  });
});

describe("an order below a minimum", () => {
  it("has no warnings", () => {
    const small = texts({ ...BUY, price: "63", shares: "4" });
    expect(small).toEqual({ issues: ["Minimum order is 5 shares."], warnings: [] });
  });

  it.each([
    ["a limit order", { ...BUY, shares: "4" }],
    ["a market buy", { ...SPEND, amount: "0.50" }],
  ])("has no estimate: %s", (_name, fields) => {
    const { issues } = assess(ticketForm(fields), ticketContext());
    expect(findUnplaceable(issues)).toBe(issues[0]);
    expect(findUnplaceable(assess(ticketForm(BUY), ticketContext()).issues)).toBeNull();
  });
});

describe("the block of a ticket", () => {
  const findBlock = (fields: Partial<TicketForm>, changes: Partial<TicketContext>) => {
    const { block } = assess(ticketForm(fields), ticketContext(changes));
    return block && describeBlock(block);
  };

  it("V18 the market is not open", () => {
    expect(findBlock(BUY, { isAccepting: false })).toBe("This market isn’t accepting orders.");
  });

  it("a frozen account blocks every order", () => {
    const text = "Trading is frozen. Thaw it to place orders.";
    expect(findBlock(BUY, { isFrozen: true })).toBe(text);
    expect(findBlock(SPEND, { isFrozen: true, isBookDead: true })).toBe(text);
  });

  it("a closed market is reported as closed, not as lacking sellers", () => {
    const over = { isAccepting: false, book: { bids: [], asks: [] } };
    expect(listIssues({ ...SPEND, amount: "25" }, over)).toEqual([]);
  });

  it("V19 dead prices block market orders, but not limit orders", () => {
    expect(findBlock(SPEND, { isBookDead: true })).toBe(
      "Prices are out of date. Use a limit order or wait for live prices.",
    );
    expect(findBlock(BUY, { isBookDead: true })).toBeNull();
  });

  it("V19 a market order without prices is blocked", () => {
    expect(findBlock(SPEND, { book: null })).toBe(
      "Prices are out of date. Use a limit order or wait for live prices.",
    );
  });

  it("an unknown balance blocks the order", () => {
    expect(findBlock(BUY, { funds: null })).toBe("Checking your balance…");
  });

  it("a limit order without a book has no estimate and can still be placed", () => {
    const { estimate, order, issues, block } = assess(
      ticketForm(BUY),
      ticketContext({ book: null }),
    );
    expect({ estimate, issues, block }).toEqual({ estimate: null, issues: [], block: null });
    expect(order?.limit).toBe(cents(60));
  });
});
