import "server-only";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { formatMicro } from "@/lib/units";
import type { SubmitResult } from "@/lib/venue/port";

type Accepted = Extract<SubmitResult, { outcome: "accepted" }>;

/** The short text of an acknowledgement. */
export function acknowledge(intent: OrderIntent, result: Accepted): string {
  const verb = intent.action === "BUY" ? "bought" : "sold";
  const filled = `${verb} ${formatMicro(result.filledShares)} shares`;
  switch (result.status) {
    case "filled":
      return `Order filled: ${filled}.`;
    case "canceled":
      return `Order partly filled: ${filled}; nobody took the rest, which was dropped.`;
    case "delayed":
      return "Order accepted: it will match in a few seconds.";
    case "open":
      return result.filledShares === 0n
        ? "Order accepted: it rests on the book."
        : `Order accepted: ${filled}, the rest is on the book.`;
  }
}
