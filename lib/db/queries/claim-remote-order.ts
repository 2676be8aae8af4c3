import "server-only";
import { sql } from "drizzle-orm";
import { combineWrites, insertRows } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { databaseTime } from "@/lib/db/database-time";
import type { Claim } from "@/lib/db/placement-record";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";
import { takeOrderTurn } from "@/lib/db/queries/order-turn";
import { toMarketRow, updateFeeRate } from "@/lib/db/queries/market-row";
import type { RemoteOrder } from "@/lib/db/queries/remote-orders";
import type { OrderEventInsert } from "@/lib/db/rows";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { markets, orders } from "@/lib/db/schema/trading";
import { buildOrderEventInsert } from "@/lib/db/queries/order-events";
import type { EventDraft } from "@/lib/ledger/account-log";
import { buildPosting, type Transfer } from "@/lib/ledger/transfers";
import type { Market } from "@/lib/venue/port";

/** A signed order with everything that is recorded before it is sent. */
export interface NewRemoteOrder extends RemoteOrder {
  /** Length of the posting lease, which starts when the database writes the row. */
  leaseMs: number;
  market: Market;
  hold: Transfer;
  events: readonly OrderEventInsert[];
  accountEvents: readonly EventDraft[];
}

/** The wallet that signed the order. */
type Signer = Omit<LiveWalletIdentity, "sessionExpiresAt">;

interface ClaimRow {
  is_owner: boolean;
  is_limited: boolean;
  is_claimed: boolean;
  /** Raw text of the driver; null unless the key was claimed. */
  posting_until: string | null;
}

const IS_LIMITED = sql`exists (select from owner where is_limited)`;
const IS_CLAIMED = sql`exists (select from claimed)`;

/**
 * Claims a key and inserts a signed order with its reservation, in one statement and so in one
 * transaction. The statement locks the signing wallet first, so it cannot run concurrently with the
 * wallet's removal. If another request is claiming the same key, it waits and then writes nothing.
 *
 * @param isChecked whether the transaction has checked the user's limits under their lock.
 * @returns the end of the posting lease, by the database's clock; "removed" if the user's wallet has
 *   changed, "taken" if the key is already claimed, "limited" if limits apply and were not checked.
 */
export async function claimRemoteOrder(
  tx: Tx,
  { claim, signer, isChecked }: { claim: Claim; signer: Signer; isChecked: boolean },
  { order, remote, leaseMs, market, hold, events, accountEvents }: NewRemoteOrder,
): Promise<Date | "taken" | "removed" | "limited"> {
  const { userId, keyHash, fingerprint, fields, orderId, createdAt } = claim;
  const postingUntil = { posting_until: databaseTime(leaseMs) };
  const posting = { transfers: [hold], events: accountEvents };
  const [claimed] = await selectRows<ClaimRow>(
    tx,
    combineWrites(
      [
        { name: "turn", query: sql`select ${takeOrderTurn(signer.userId)}` },
        {
          name: "owner",
          query: sql`select users.id, users.is_limited and not ${isChecked}::boolean as is_limited
            from users join live_wallets as wallet on wallet.user_id = users.id
            where users.id = ${signer.userId}::text and wallet.address = ${signer.address}::text
              and wallet.funder_address = ${signer.funderAddress}::text
              and wallet.signature_type = ${signer.signatureType}::integer
              and exists (select from turn)
            for share`,
        },
        {
          name: "claimed",
          query: sql`insert into idempotency_keys
              (user_id, key_hash, fingerprint, fields, order_id, created_at)
            select ${userId}::text, ${keyHash}::text, ${fingerprint}::text,
              ${JSON.stringify(fields)}::text::jsonb, ${orderId}::text,
              ${createdAt.toISOString()}::text::timestamptz
            where exists (select from owner) and not ${IS_LIMITED}
            on conflict do nothing
            returning order_id`,
        },
        {
          name: "sent",
          query: sql`${insertRows(remoteOrders, [remote], postingUntil)} where ${IS_CLAIMED}
            returning posting_until`,
        },
        sql`${insertRows(markets, [toMarketRow(market)])} where ${IS_CLAIMED} on conflict do nothing`,
        sql`${updateFeeRate(market)} and ${IS_CLAIMED}`,
        sql`${insertRows(orders, [order])} where ${IS_CLAIMED}`,
        sql`${buildOrderEventInsert(events)} where ${IS_CLAIMED}`,
        ...buildPosting(posting, createdAt, { condition: IS_CLAIMED }),
      ],
      sql`exists (select from owner) as is_owner, ${IS_LIMITED} as is_limited, ${IS_CLAIMED} as is_claimed,
        (select posting_until from sent) as posting_until`,
    ),
  );
  if (!claimed?.is_owner) return "removed";
  if (claimed.is_limited) return "limited";
  if (!claimed.is_claimed || claimed.posting_until === null) return "taken";
  return remoteOrders.postingUntil.mapFromDriverValue(claimed.posting_until) as Date;
}
