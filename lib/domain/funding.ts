import type { Action } from "@/lib/domain/settlement";
import type { ErrorCode } from "@/lib/errors";
import { formatDollars, formatMicro, type Rounding } from "@/lib/units";

/** The reason why an order is refused. The message is for its owner. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  /** The required amount with the fee, in base units, if the account has too little. */
  needed?: bigint;
}

/** An order's hold and its owner's funds: USDC for a BUY, shares of the token for a SELL. */
export interface Funding {
  action: Action;
  hold: bigint;
  available: bigint;
  /** Held by the owner's live orders. */
  reserved: bigint;
  reservingOrders: number;
  /** Base units of USDC; null while unknown. An unknown allowance refuses no order. */
  allowance: bigint | null;
  /** Shares of the token that the market's exchange may move; unknown without it, and while it is null. */
  shareAllowance?: bigint | null;
  /** USDC that open buys under the same allowance reserve. Defaults to `reserved`. */
  allowanceUsed?: bigint;
}

/** Refuses an order that the account can't pay for or deliver. */
export function refuseUnfunded(funding: Funding): Refusal | null {
  const { action, hold, available, allowance, allowanceUsed = funding.reserved } = funding;
  const isBuy = action === "BUY";
  if (available < hold) {
    return {
      code: isBuy ? "INSUFFICIENT_BALANCE" : "INSUFFICIENT_SHARES",
      message: formatShortfall(funding),
      needed: hold,
    };
  }
  if (!isBuy) return refuseUnapproved(funding);
  if (allowance === null || allowance >= allowanceUsed + hold) return null;
  const needed = formatDollars(allowanceUsed + hold, "up");
  return {
    code: "INSUFFICIENT_ALLOWANCE",
    message:
      `This order needs an allowance of ${needed}, including open orders; ` +
      `${formatDollars(allowance, "down")} is approved.`,
    needed: hold,
  };
}

/** Refuses a sell of shares that the exchange may not move. The wallet approves all of them or none. */
function refuseUnapproved({ hold, shareAllowance = null }: Funding): Refusal | null {
  if (shareAllowance === null || shareAllowance >= hold) return null;
  return {
    code: "INSUFFICIENT_ALLOWANCE",
    message:
      "This order needs your wallet's approval of the exchange for its shares, which is missing. " +
      "Set it on the wallet page.",
    needed: hold,
  };
}

type Shortfall = Pick<Funding, "action" | "hold" | "available" | "reserved"> & {
  /** Null if the number of orders is unknown. */
  reservingOrders: number | null;
};

/** Formats the message of an order that the account can't pay for or deliver. */
export function formatShortfall(shortfall: Shortfall): string {
  const { action, hold, available, reserved, reservingOrders: count } = shortfall;
  const isBuy = action === "BUY";
  const show = (micro: bigint, rounding: Rounding) =>
    isBuy ? formatDollars(micro, rounding) : formatMicro(micro);
  const verb = isBuy ? "is" : "are";
  const needed = `${show(hold, "up")}${isBuy ? "" : " shares"}`;
  // Only buys reserve cash, and only sells reserve shares.
  const side = `open ${isBuy ? "buy" : "sell"}${count === 1 ? "" : "s"}`;
  const orders = count === null ? side : `${count} ${side}`;
  const note = reserved === 0n ? "" : ` (${show(reserved, "up")} ${verb} reserved by ${orders})`;
  return `This order needs ${needed}; ${show(available, "down")} ${verb} available${note}.`;
}
