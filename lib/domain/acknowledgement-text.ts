import type { Action } from "@/lib/domain/settlement";
import { formatMicro, type Shares } from "@/lib/units";

interface Accepted {
  /** A remote order may have expired before the venue first returns it. */
  status: "open" | "filled" | "canceled" | "delayed" | "expired" | "pending_approval";
  filledShares: Shares;
}

/** Returns the short text of an acknowledgement. */
export function describeAcknowledgement(action: Action, result: Accepted): string {
  const verb = action === "BUY" ? "bought" : "sold";
  const filled = `${verb} ${formatMicro(result.filledShares)} shares`;
  switch (result.status) {
    case "filled":
      return `Order filled: ${filled}.`;
    case "canceled":
      return result.filledShares === 0n
        ? "Order accepted and canceled: nothing was filled."
        : `Order partly filled: ${filled}. The rest was canceled.`;
    case "expired":
      return result.filledShares === 0n
        ? "Order accepted and expired: nothing was filled."
        : `Order partly filled: ${filled}. The rest expired.`;
    case "delayed":
      return "Order accepted: it will match in a few seconds.";
    case "pending_approval":
      return "The order waits for its owner's approval, for at most 15 minutes.";
    case "open":
      return result.filledShares === 0n
        ? "Order accepted: it is open."
        : `Order accepted: ${filled}. The rest is open.`;
  }
}
