import type { OrderStatus } from "@/lib/domain/order-status";

/** What became of a wish to cancel. */
export interface CancelReport {
  canceled: string[];
  /** Orders that had come to another end before. */
  late: { id: string; status: OrderStatus }[];
  /** Why nothing could be done; null when something was. */
  problem: string | null;
}

/** What is known when a cancel was sent and nothing came back. */
export const NO_ANSWER: CancelReport = {
  canceled: [],
  late: [],
  problem: "The service did not answer. The order may still be open: try again.",
};

/** The server actions behind the buttons. */
export interface CancelActions {
  /** Cancels orders at once and tells what became of them. */
  cancelNow: (orderIds: string[]) => Promise<CancelReport>;
  /** Cancels every order, or those of a market. */
  cancelAllNow: (marketId: string | null) => Promise<CancelReport>;
  /** The same from a plain form: comes back to the list with what became of them. */
  cancelAndReturn: (form: FormData) => Promise<void>;
}

const ENDS: Partial<Record<OrderStatus, string>> = {
  filled: "It filled before it could be canceled.",
  expired: "It expired before it could be canceled.",
  rejected: "It had been rejected before.",
};

export function lateText(status: OrderStatus): string {
  return ENDS[status] ?? "It had ended before it could be canceled.";
}

/** "3 orders canceled. 1 had ended before it could be canceled." */
export function cancelText(canceled: number, late: number): string {
  const done = canceled === 1 ? "Order canceled." : `${canceled} orders canceled.`;
  if (late === 0) return done;
  const missed =
    late === 1
      ? "One had filled or ended before it could be canceled."
      : `${late} had filled or ended before they could be canceled.`;
  return canceled === 0 ? missed : `${done} ${missed}`;
}
