import { describe, expect, it, vi } from "vitest";
import {
  createCancelToast,
  createCancelingToast,
  createOrderToast,
  describeSuccess,
} from "@/components/trading/ticket/toasts";
import type { OrderRecordWire } from "@/lib/browser/follow-order";

vi.mock("@/lib/browser/hide-values", () => ({ isHidingValues: () => false }));

const MARKET = {
  tickSize: "0.01",
  outcomes: [{ name: "Yes", tokenId: "1" }],
  clock: { zone: "UTC", hour12: false },
};
const RESTING: OrderRecordWire = {
  userId: "usr_1",
  address: "0x1",
  funder_address: "0x1",
  id: "ord_1",
  status: "open",
  action: "BUY",
  side: "YES",
  type: "limit",
  tokenId: "1",
  marketId: "m",
  price: 0.6,
  shares: 100,
  amount: null,
  timeInForce: "GTC",
  expiresAt: null,
  postOnly: false,
  filledShares: 0,
  remainingShares: 100,
  avgFillPrice: null,
  fee: 0,
  origin: "ante",
  idempotencyKey: "key",
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
  fills: [],
  events: [],
};
const nothing = () => {};

describe("the toast of an order", () => {
  it("has a Cancel button for an open order, and none for a closed one", () => {
    const cancel = vi.fn();
    const resting = createOrderToast(RESTING, MARKET, cancel);
    expect(resting.text).toBe("Limit order open: buy 100 Yes at 60¢.");
    expect(resting.action?.label).toBe("Cancel");
    resting.action?.run();
    expect(cancel).toHaveBeenCalledOnce();
    for (const status of ["filled", "canceled", "rejected", "expired"] as const) {
      expect(createOrderToast({ ...RESTING, status }, MARKET, cancel).action).toBeUndefined();
    }
  });

  it("lists the options of an open order, and names the expiry that ended one", () => {
    const expiresAt = `${new Date().getUTCFullYear()}-11-24T12:00:00.000Z`;
    const expiring = { ...RESTING, timeInForce: "GTD", expiresAt, postOnly: true } as const;
    expect(createOrderToast(expiring, MARKET, nothing).text).toBe(
      "Limit order open: buy 100 Yes at 60¢. Expires 24 Nov, 12:00. Post only.",
    );
    const expired = createOrderToast({ ...expiring, status: "expired" }, MARKET, nothing);
    expect(expired.text).toBe("Nothing was bought: the order expired.");
  });

  it("says that a limit order was canceled, and that a market order's price moved", () => {
    const canceled = { ...RESTING, status: "canceled" } as const;
    expect(createOrderToast(canceled, MARKET, nothing).text).toBe("Canceled: buy 100 Yes at 60¢.");
    const missed = { ...canceled, type: "market", timeInForce: "FAK" } as const;
    expect(createOrderToast(missed, MARKET, nothing).text).toBe(
      "Nothing was bought: the price moved past 60¢.",
    );
  });

  it("names the type of a canceled market order, which waited for approval", () => {
    const waiting = { ...RESTING, type: "market", timeInForce: "FAK", status: "pending_approval" };
    const report = { canceled: [RESTING.id], late: [], problem: null };
    const done = createCancelToast(waiting as typeof RESTING, MARKET, report, nothing);
    expect(done.text).toBe("Canceled: market buy 100 Yes at 60¢ or better.");
  });

  it("shows a running cancel with the remaining shares and without a second Cancel button", () => {
    const toast = createCancelingToast(
      { ...RESTING, filledShares: 40, remainingShares: 60 },
      MARKET,
    );
    expect(toast.text).toBe("Canceling: buy 60 Yes at 60¢…");
    expect(toast.action).toBeUndefined();
  });

  it("shows the result of a cancel: canceled, too late, or unknown", () => {
    const report = { canceled: [], late: [], problem: null };
    const done = createCancelToast(RESTING, MARKET, { ...report, canceled: ["ord_1"] }, nothing);
    expect(done).toMatchObject({
      id: createOrderToast(RESTING, MARKET, nothing).id,
      tone: "success",
      text: "Canceled: buy 100 Yes at 60¢.",
    });
    expect(done.action).toBeUndefined();
    const late = createCancelToast(
      RESTING,
      MARKET,
      { ...report, late: [{ id: "ord_1", status: "filled" }] },
      nothing,
    );
    expect(late).toMatchObject({
      tone: "info",
      text: "The order filled before it could be canceled.",
      link: { href: "/orders/ord_1" },
    });
    const tryAgain = vi.fn();
    const unknown = createCancelToast(
      RESTING,
      MARKET,
      { ...report, problem: "No answer." },
      tryAgain,
    );
    expect(unknown).toMatchObject({ tone: "error", text: "No answer." });
    unknown.action?.run();
    expect(tryAgain).toHaveBeenCalledOnce();
  });

  it("has what was paid or received for the fills, with the fee", () => {
    const fill = {
      tradeId: "trd_1",
      role: "taker",
      fee: 0.2,
      createdAt: RESTING.createdAt,
    } as const;
    const fills = [
      { ...fill, id: "fil_1", shares: 30, price: 0.6, amount: 18 },
      { ...fill, id: "fil_2", shares: 10, price: 0.59, amount: 5.9 },
    ];
    const part = { ...RESTING, filledShares: 40, remainingShares: 60, avgFillPrice: 0.5975 };
    const bought: OrderRecordWire = { ...part, fills, fee: 0.4 };
    const describeOrder = (record: OrderRecordWire) =>
      createOrderToast(record, MARKET, nothing).text;
    expect(describeOrder(bought)).toBe(
      "Bought 40 of 100 Yes at 59.8¢. You paid $24.30. 60 still open.",
    );
    expect(describeOrder({ ...bought, action: "SELL", status: "canceled" })).toBe(
      "Sold 40 of 100 Yes at 59.8¢. You received $23.50. The rest was not filled.",
    );
    const filled = { ...bought, shares: 40, status: "filled" as const };
    expect(describeOrder(filled)).toBe("Bought 40 Yes at 59.8¢. You paid $24.30.");
  });

  it("becomes the button's text for an order that was filled or is open", () => {
    const filled = { ...RESTING, filledShares: 100, remainingShares: 0, avgFillPrice: 0.6 };
    const describeRecord = (record: OrderRecordWire) => describeSuccess(record, MARKET);
    expect(describeRecord({ ...filled, status: "filled" })).toBe("Bought 100 Yes at 60¢");
    expect(describeRecord({ ...filled, filledShares: 40, remainingShares: 60 })).toBe(
      "Bought 40 of 100 Yes at 60¢",
    );
    expect(describeRecord(RESTING)).toBe("Order open");
    expect(describeRecord({ ...RESTING, status: "canceled" })).toBe(null);
    const team = { ...MARKET, outcomes: [{ name: "St. Louis", tokenId: "1" }] };
    expect(describeSuccess({ ...filled, status: "filled" }, team)).toBe(
      "Bought 100 St. Louis at 60¢",
    );
  });

  it("keeps its id, so that each text replaces the one before", () => {
    const toasts = [
      createOrderToast(RESTING, MARKET, nothing),
      createCancelingToast(RESTING, MARKET),
      createCancelToast(RESTING, MARKET, { canceled: ["ord_1"], late: [], problem: null }, nothing),
    ];
    expect(new Set(toasts.map(({ id }) => id))).toEqual(new Set(["key"]));
  });
});
