import "server-only";
import { sql } from "drizzle-orm";
import { insertRows } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { Claim } from "@/lib/db/queries/idempotency";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";
import { toMarketRow } from "@/lib/db/queries/market-row";
import type { RemoteOrder } from "@/lib/db/queries/remote-orders";
import type { OrderEventInsert } from "@/lib/db/rows";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { markets, orderEvents, orders } from "@/lib/db/schema/trading";
import { firstTransferWrites, type Transfer } from "@/lib/ledger/transfers";
import type { Market } from "@/lib/venue/port";

/** A signed order with all that is written down before its bytes may be sent. */
export interface NewRemoteOrder extends RemoteOrder {
  market: Market;
  hold: Transfer;
  events: readonly OrderEventInsert[];
}

interface Entered {
  is_owner: boolean;
  is_claimed: boolean;
}

const IS_CLAIMED = sql`exists (select from claimed)`;

/**
 * Claims a key and writes a signed order down with its reservation: one statement, and so one
 * transaction. The wallet that signed is locked first: its removal waits for this, or this for its
 * removal. While somebody else claims the same key this waits, and then writes nothing.
 *
 * @returns "removed" when the user's wallet is another one by now, "taken" when the key is claimed.
 */
export async function claimRemoteOrder(
  tx: Tx,
  { claim, signer }: { claim: Claim; signer: LiveWalletIdentity },
  { order, remote, market, hold, events }: NewRemoteOrder,
): Promise<"claimed" | "taken" | "removed"> {
  const { userId, keyHash, fingerprint, fields, orderId, createdAt } = claim;
  const writes = [
    sql`${insertRows(markets, [toMarketRow(market)])} where ${IS_CLAIMED} on conflict do nothing`,
    sql`${insertRows(orders, [order])} where ${IS_CLAIMED}`,
    sql`${insertRows(remoteOrders, [remote])} where ${IS_CLAIMED}`,
    sql`${insertRows(orderEvents, events)} where ${IS_CLAIMED}`,
    ...firstTransferWrites([hold], createdAt, IS_CLAIMED),
  ].map((write, index) => sql`, ${sql.raw(`write_${index}`)} as (${write})`);
  const [entered] = await selectRows<Entered>(
    tx,
    sql`with owner as (
          select users.id from users join live_wallets as wallet on wallet.user_id = users.id
          where users.id = ${signer.userId}::text and wallet.address = ${signer.address}::text
            and wallet.funder_address = ${signer.funderAddress}::text
            and wallet.signature_type = ${signer.signatureType}::integer
          for share
        ), claimed as (
          insert into idempotency_keys
            (user_id, key_hash, fingerprint, fields, order_id, created_at)
          select ${userId}::text, ${keyHash}::text, ${fingerprint}::text,
            ${JSON.stringify(fields)}::text::jsonb, ${orderId}::text,
            ${createdAt.toISOString()}::text::timestamptz
          where exists (select from owner)
          on conflict do nothing
          returning order_id
        )${sql.join(writes)}
        select exists (select from owner) as is_owner, ${IS_CLAIMED} as is_claimed`,
  );
  if (!entered?.is_owner) return "removed";
  return entered.is_claimed ? "claimed" : "taken";
}
