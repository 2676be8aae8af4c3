import type { Action } from "@/lib/domain/settlement";
import type { ErrorCode } from "@/lib/errors";
import { formatMicro, formatUsdc } from "@/lib/units";

/** Why an order is refused, as its owner reads it. */
export interface Refusal {
  code: ErrorCode;
  message: string;
}

/** What an order needs and what its owner has: USDC for a BUY, shares of the token for a SELL. */
export interface Funding {
  action: Action;
  hold: bigint;
  available: bigint;
  /** Held by the owner's live orders. */
  reserved: bigint;
  reservingOrders: number;
  /** Base units of USDC; null while unknown, which refuses nothing. */
  allowance: bigint | null;
}

/** Refuses what the account cannot pay or deliver, with the exact shortfall. */
export function refuseUnfunded(funding: Funding): Refusal | null {
  const { action, hold, available, reserved, allowance } = funding;
  const isBuy = action === "BUY";
  const show = isBuy ? formatUsdc : formatMicro;
  if (available < hold) {
    return {
      code: isBuy ? "INSUFFICIENT_BALANCE" : "INSUFFICIENT_SHARES",
      message: `needs ${show(hold)} ${isBuy ? "USDC" : "shares"}, ${show(available)} available${reservedNote(funding)}`,
    };
  }
  if (!isBuy || allowance === null || allowance >= reserved + hold) return null;
  return {
    code: "INSUFFICIENT_ALLOWANCE",
    message:
      `needs an allowance of ${show(reserved + hold)} USDC with what open orders reserve, ` +
      `${show(allowance)} approved`,
  };
}

function reservedNote({ action, reserved, reservingOrders }: Funding): string {
  if (reserved === 0n) return "";
  const amount = action === "BUY" ? formatUsdc(reserved) : formatMicro(reserved);
  const orders = `${reservingOrders} open order${reservingOrders === 1 ? "" : "s"}`;
  return ` (${amount} reserved by ${orders})`;
}
