import type { OrderStatus } from "@/lib/domain/order-status";

/** The result of canceling orders. */
export interface CancelReport {
  canceled: string[];
  /** Orders that had already ended in another way. */
  late: { id: string; status: OrderStatus }[];
  /** The error if the request failed, otherwise null. */
  problem: string | null;
}

/** The report if the request got no response. */
export const NO_RESPONSE: CancelReport = {
  canceled: [],
  late: [],
  problem: "The service didn’t respond. The order could still be open. Try again.",
};

/** The server actions behind the buttons. */
export interface CancelActions {
  /** Cancels orders and reports the results. */
  cancelNow: (orderIds: string[]) => Promise<CancelReport>;
  /** Cancels every order, or those of a market. */
  cancelAllNow: (marketId: string | null) => Promise<CancelReport>;
  /** Cancels the orders of a form without JavaScript, and returns to the list with the results. */
  cancelAndReturn: (form: FormData) => Promise<void>;
}

const ENDS: Partial<Record<OrderStatus, string>> = {
  filled: "The order filled before it could be canceled.",
  expired: "The order expired before it could be canceled.",
  rejected: "The order was already rejected.",
};

export function describeLate(status: OrderStatus): string {
  return ENDS[status] ?? "The order ended before it could be canceled.";
}

/** "3 orders canceled. 1 had ended before it could be canceled." */
export function describeCanceled(canceled: number, late: number): string {
  const done = canceled === 1 ? "Order canceled." : `${canceled} orders canceled.`;
  if (late === 0) return done;
  const missed =
    late === 1
      ? "One filled or ended before it could be canceled."
      : `${late} filled or ended before they could be canceled.`;
  return canceled === 0 ? missed : `${done} ${missed}`;
}
