import { expect, it, vi } from "vitest";
import { type PlacementContext, type Progress, resolve } from "@/components/trading/ticket/placing";
import type { OrderRecordWire } from "@/lib/browser/follow-order";
import type { Toast } from "@/lib/browser/toasts";

const { follow } = vi.hoisted(() => ({
  follow: vi.fn<(report: (record: unknown) => void) => Promise<void>>(),
}));
vi.mock("@/lib/browser/hide-values", () => ({ isHidingValues: () => false }));
vi.mock("@/lib/browser/follow-order", async (load) => ({
  ...(await load<typeof import("@/lib/browser/follow-order")>()),
  followOrder: (_: string, report: (record: unknown) => void) => follow(report),
  refreshAccountReads: () => Promise.resolve(),
}));

const nothing = () => undefined;
const INPUT = { tokenId: "1", action: "BUY", shares: 10, idempotencyKey: "key" };

interface Shown {
  progress: Progress | null;
  toast: Toast | null;
}

/** Accepts an order, and returns the progress that the submit button shows. */
function accept(orderId: string): Shown {
  const shown: Shown = { progress: null, toast: null };
  const context = {
    actions: { cancel: () => new Promise(nothing) },
    ticket: {
      mode: "paper",
      market: { id: "m", tickSize: "0.01", outcomes: [{ name: "Yes", tokenId: "1" }] },
      dispatch: nothing,
    },
    key: { current: "key" },
    clock: { zone: "UTC", hour12: false },
    setPhase: nothing,
    setRefusal: nothing,
    setProgress: (next: Progress | null | ((now: Progress | null) => Progress | null)) => {
      shown.progress = typeof next === "function" ? next(shown.progress) : next;
    },
    announce: nothing,
    update: (toast: Toast) => {
      shown.toast = toast;
    },
    refreshPage: () => Promise.resolve(),
  };
  resolve(
    context as unknown as PlacementContext,
    { state: "accepted", orderId } as Parameters<typeof resolve>[1],
    { input: INPUT, sentAt: 0 } as unknown as Parameters<typeof resolve>[2],
  );
  return shown;
}

const FILLED = {
  id: "ord_1",
  status: "filled",
  action: "BUY",
  tokenId: "1",
  price: 0.6,
  shares: 10,
  filledShares: 10,
  avgFillPrice: 0.6,
  fee: 0,
  fills: [],
} as unknown as OrderRecordWire;

it("an order that never settles ends its waiting after the last read", async () => {
  follow.mockResolvedValueOnce();
  const shown = accept("ord_1");
  expect(shown.progress).toEqual({ kind: "waiting", orderId: "ord_1" });
  await vi.waitFor(() => expect(shown.progress).toBe(null));
});

it("a filled order is shown on the button", async () => {
  follow.mockImplementationOnce((report) => Promise.resolve(report(FILLED)));
  const shown = accept("ord_1");
  await vi.waitFor(() => expect(shown.progress).toMatchObject({ kind: "done" }));
});

it("a cancel from the toast clears the button that says the order is open", async () => {
  const open = {
    ...FILLED,
    status: "open",
    type: "limit",
    timeInForce: "GTC",
    expiresAt: null,
    postOnly: false,
    filledShares: 0,
  } as OrderRecordWire;
  follow.mockImplementationOnce((report) => Promise.resolve(report(open)));
  const shown = accept("ord_1");
  await vi.waitFor(() => expect(shown.progress).toMatchObject({ text: "Order open" }));
  shown.toast?.action?.run();
  expect(shown.progress).toBe(null);
  expect(shown.toast?.text).toMatch(/^Canceling/);
});

it("a late fill leaves the next order's progress as it is", async () => {
  let fill: () => void = nothing;
  const settled = new Promise<void>((end) => {
    follow.mockImplementationOnce(async (report) => {
      await new Promise<void>((go) => {
        fill = go;
      });
      report(FILLED);
      end();
    });
  });
  const shown = accept("ord_1");
  const next: Progress = { kind: "waiting", orderId: "ord_2" };
  shown.progress = next;
  fill();
  await settled;
  expect(shown.progress).toBe(next);
});
