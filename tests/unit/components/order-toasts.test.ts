import { describe, expect, it, vi } from "vitest";
import { canceledToast, cancelingToast, orderToast } from "@/components/trading/ticket/toasts";
import type { OrderRecordWire } from "@/lib/client/follow-order";

vi.mock("@/lib/client/hide-values", () => ({ isHidingValues: () => false }));

const MARKET = { tickSize: "0.01", outcomes: [{ name: "Yes", tokenId: "1" }] };
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
  filledShares: 0,
  remainingShares: 100,
  avgFillPrice: null,
  fee: 0,
  idempotencyKey: "key",
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
  fills: [],
  events: [],
};
const nothing = () => {};

describe("an order's one toast", () => {
  it("offers to cancel what rests, and nothing that is over", () => {
    const cancel = vi.fn();
    const resting = orderToast(RESTING, MARKET, cancel);
    expect(resting.text).toBe("Limit order open: buy 100 Yes at 60¢.");
    expect(resting.action?.label).toBe("Cancel");
    resting.action?.run();
    expect(cancel).toHaveBeenCalledOnce();
    for (const status of ["filled", "canceled", "rejected", "expired"] as const) {
      expect(orderToast({ ...RESTING, status }, MARKET, cancel).action).toBeUndefined();
    }
  });

  it("says that a cancel is on its way, for what is left, without offering it twice", () => {
    const toast = cancelingToast({ ...RESTING, filledShares: 40, remainingShares: 60 }, MARKET);
    expect(toast.text).toBe("Canceling: buy 60 Yes at 60¢…");
    expect(toast.action).toBeUndefined();
  });

  it("says how the cancel ended: done, too late, or not known", () => {
    const report = { canceled: [], late: [], problem: null };
    const done = canceledToast(RESTING, { ...report, canceled: ["ord_1"] }, nothing);
    expect(done).toMatchObject({ tone: "success", text: "Order canceled." });
    const late = canceledToast(
      RESTING,
      { ...report, late: [{ id: "ord_1", status: "filled" }] },
      nothing,
    );
    expect(late).toMatchObject({
      tone: "info",
      text: "It filled before it could be canceled.",
      link: { href: "/orders/ord_1" },
    });
    const tryAgain = vi.fn();
    const unknown = canceledToast(RESTING, { ...report, problem: "No answer." }, tryAgain);
    expect(unknown).toMatchObject({ tone: "error", text: "No answer." });
    unknown.action?.run();
    expect(tryAgain).toHaveBeenCalledOnce();
  });

  it("keeps one id through all of it, so that each text takes the place of the last", () => {
    const toasts = [
      orderToast(RESTING, MARKET, nothing),
      cancelingToast(RESTING, MARKET),
      canceledToast(RESTING, { canceled: ["ord_1"], late: [], problem: null }, nothing),
    ];
    expect(new Set(toasts.map(({ id }) => id))).toEqual(new Set(["key"]));
  });
});
