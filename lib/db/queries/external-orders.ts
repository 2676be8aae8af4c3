import "server-only";
import { and, eq, or } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { insertRemoteMarket } from "@/lib/db/queries/remote-orders";
import { liveWallets } from "@/lib/db/schema/accounts";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import type { OrderRow } from "@/lib/db/rows";
import { markets, orders } from "@/lib/db/schema/trading";
import { toBookPrice, toBookSide, type OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { NO_SHARES, NO_USDC } from "@/lib/units";
import type { Market, VenueOrderDetails } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/** An order that another program placed with the same wallet. */
export interface ExternalOrder {
  orderId: string;
  trader: Pick<Trader, "userId" | "funderAddress">;
  venueOrderId: string;
  details: VenueOrderDetails;
  /** Null if the market is already recorded. */
  market: Market | null;
  createdAt: Date;
}

/** Returns the id of the recorded market of a token; null if none is recorded. */
export async function selectMarketOfToken(tx: Tx, tokenId: string): Promise<string | null> {
  const [row] = await tx
    .select({ id: markets.id })
    .from(markets)
    .where(or(eq(markets.firstToken, tokenId), eq(markets.secondToken, tokenId)));
  return row?.id ?? null;
}

/**
 * Inserts an external order without fills and without a reservation, in the initial status. The
 * wallet is locked against its removal.
 *
 * @returns the order; null if the wallet has changed.
 * @throws a unique violation if the order is already recorded.
 */
export async function insertExternalOrder(
  tx: Tx,
  { orderId, trader, venueOrderId, details, market, createdAt }: ExternalOrder,
): Promise<OrderRow | null> {
  const { userId, funderAddress } = trader;
  const [wallet] = await tx
    .select({ userId: liveWallets.userId })
    .from(liveWallets)
    .where(and(eq(liveWallets.userId, userId), eq(liveWallets.funderAddress, funderAddress)))
    .for("share");
  if (!wallet) return null;
  if (market) await insertRemoteMarket(tx, market);
  const { outcome, feeRate } = await resolveOutcome(tx, details);
  const { marketId, tokenId, action, orderType, price, expiresAt } = details;
  const endsAtOnce = orderType === "FAK" || orderType === "FOK";
  const [order] = await tx
    .insert(orders)
    .values({
      id: orderId,
      userId,
      epoch: LIVE_EPOCH,
      keyId: null,
      marketId,
      tokenId,
      outcome,
      action,
      type: endsAtOnce || price === null ? "market" : "limit",
      price,
      shares: details.shares,
      amount: details.amount,
      status: "unknown",
      filledShares: NO_SHARES,
      filledNotional: NO_USDC,
      fee: NO_USDC,
      held: 0n,
      bookSide: toBookSide(action, outcome),
      bookPrice: price === null ? null : toBookPrice(outcome, price),
      isFillOrKill: orderType === "FOK",
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
      origin: "external",
      idempotencyKeyJson: JSON.stringify(null),
      createdAt,
      updatedAt: createdAt,
    })
    .returning();
  assert(order, "an insert returns its row");
  await tx.insert(remoteOrders).values({
    orderId,
    userId,
    venueOrderId,
    body: null,
    orderType,
    keyHash: null,
    feeRate,
    isAmbiguous: true,
    postingUntil: new Date(0),
    createdAt,
  });
  return order;
}

/** Returns the outcome of a token and the fee rate, by the recorded market. */
async function resolveOutcome(
  tx: Tx,
  { marketId, tokenId }: VenueOrderDetails,
): Promise<{ outcome: OutcomeIndex; feeRate: bigint }> {
  const [row] = await tx.select().from(markets).where(eq(markets.id, marketId));
  assert(row, `market ${marketId} is recorded`);
  const { feeRate } = row;
  if (row.firstToken === tokenId) return { outcome: 0, feeRate };
  if (row.secondToken !== tokenId) {
    // For a market that the venue does not list, only the tokens of its orders are known.
    assert(row.secondToken.startsWith("unlisted/"), `market ${marketId} has token ${tokenId}`);
    await tx.update(markets).set({ secondToken: tokenId }).where(eq(markets.id, marketId));
  }
  return { outcome: 1, feeRate };
}
