import "server-only";
import type { Action } from "@/lib/domain/settlement";
import { formatMicro } from "@/lib/units";
import type { SubmitResult } from "@/lib/venue/port";

type Accepted = Omit<Extract<SubmitResult, { outcome: "accepted" }>, "outcome">;

/** The short text of an acknowledgement. */
export function acknowledge(action: Action, result: Accepted): string {
  const verb = action === "BUY" ? "bought" : "sold";
  const filled = `${verb} ${formatMicro(result.filledShares)} shares`;
  switch (result.status) {
    case "filled":
      return `Order filled: ${filled}.`;
    case "canceled":
      return result.filledShares === 0n
        ? "Order accepted and canceled: nothing was filled."
        : `Order partly filled: ${filled}; nobody took the rest, which was dropped.`;
    case "delayed":
      return "Order accepted: it will match in a few seconds.";
    case "open":
      return result.filledShares === 0n
        ? "Order accepted: it rests on the book."
        : `Order accepted: ${filled}, the rest is on the book.`;
  }
}
