import "server-only";
import type { z } from "zod";
import { estimateWaiting } from "@/lib/approvals/waiting-order";
import { listKeyNames } from "@/lib/auth/list-keys";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { countWaiting } from "@/lib/db/queries/approvals";
import { type OrderWithMarket, selectOrders } from "@/lib/db/queries/orders";
import { setDeadline } from "@/lib/domain/approvals";
import { AppError } from "@/lib/errors";
import { readMarketPrices } from "@/lib/orders/market-prices";
import { toOrderLine } from "@/lib/orders/order-views";
import { MAX_ROWS } from "@/lib/schemas/page-size";
import type { WaitingOrder, ApprovalPreview } from "@/lib/schemas/approvals";
import { add, averagePrice, NO_SHARES, NO_USDC, subtract, usdc } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import type { Mode } from "@/lib/venue/port";

type Waiting = z.output<typeof WaitingOrder>;

/** Lists the orders of an account that wait for approval, newest first. */
export async function listWaiting(principal: Principal): Promise<Waiting[]> {
  const filter = { account: principal, statuses: ["pending_approval"] } as const;
  const rows = await selectOrders(await getDb(), filter, null, MAX_ROWS);
  if (rows.length === 0) return [];
  const names = await listKeyNames(principal.userId);
  return rows.map((row) => toWaiting(row, names));
}

/** Counts the orders of an account that wait for approval, for the badge. */
export async function countWaitingOrders(principal: Principal): Promise<number> {
  return countWaiting(await getDb(), principal);
}

/**
 * Finds the order of an approval link, in the account of the page or in the user's other one: a link
 * doesn't say which. Null if the user has no such order.
 *
 * @returns the order, with what it would do now if it waits in the account of the page.
 */
export async function findWaiting(
  principal: Principal,
  orderId: string,
): Promise<(Waiting & { mode: Mode; preview: z.output<typeof ApprovalPreview> | null }) | null> {
  const { userId, mode } = principal;
  for (const own of mode === "paper"
    ? (["paper", "live"] as const)
    : (["live", "paper"] as const)) {
    const filter = { account: { userId, mode: own }, id: orderId };
    const [found] = await selectOrders(await getDb(), filter, null, 1);
    if (!found) continue;
    const waiting = toWaiting(found, await listKeyNames(userId));
    const isOpen = found.order.status === "pending_approval" && own === mode;
    const preview = isOpen ? await buildPreview(principal, found) : null;
    return { ...waiting, mode: own, preview };
  }
  return null;
}

function toWaiting(found: OrderWithMarket, names: ReadonlyMap<string, string>): Waiting {
  const { keyId, createdAt } = found.order;
  const name = keyId === null ? undefined : names.get(keyId);
  const line = toOrderLine(found);
  return {
    line,
    key: keyId === null || name === undefined ? null : { id: keyId, name },
    until: setDeadline(createdAt),
    mostUsdc: line.reserved,
  };
}

async function buildPreview(
  principal: Principal,
  { order }: OrderWithMarket,
): Promise<z.output<typeof ApprovalPreview>> {
  const findPrice = await readMarketPrices(principal, [order.marketId]);
  const marketPrice = findPrice(order);
  try {
    const { estimate, refusal } = await estimateWaiting(getVenue(principal.mode), order);
    const { filledShares, notional, fee, restingShares, hold, worstFillPrice } = estimate;
    const isBuy = order.action === "BUY";
    const total = isBuy ? add(notional, fee) : subtract(notional, fee);
    return {
      refusal: refusal?.message ?? null,
      marketPrice,
      filledShares,
      avgPrice: filledShares === 0n ? null : averagePrice(notional, filledShares),
      worstPrice: worstFillPrice,
      restingShares,
      fee,
      total,
      // A market order returns the rest of its hold at once.
      reserved: isBuy && restingShares > 0n ? subtract(usdc(hold), total) : NO_USDC,
    };
  } catch (error) {
    // A closed market, or a venue that doesn't respond.
    if (!(error instanceof AppError)) throw error;
    return { ...NOTHING, marketPrice, refusal: error.message };
  }
}

const NOTHING = {
  filledShares: NO_SHARES,
  avgPrice: null,
  worstPrice: null,
  restingShares: NO_SHARES,
  fee: NO_USDC,
  total: NO_USDC,
  reserved: NO_USDC,
};
