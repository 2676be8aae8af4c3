import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, toJsonRows } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import type { PositionRow } from "@/lib/db/rows";
import type { PositionState, StoredEventData } from "@/lib/db/schema/account-events";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import type { AccountEventType } from "@/lib/domain/account-events";
import { newId } from "@/lib/ids";
import { available, held, LIVE_EPOCH, type Owner, USDC } from "@/lib/ledger/accounts";

/** The request that causes a change, for the events of the account that sent it. */
export interface Cause {
  requestId: string | null;
  keyId: string | null;
}

/** The cause of what the service does on its own. */
export const NO_CAUSE: Cause = { requestId: null, keyId: null };

interface Caller {
  requestId?: string | null | undefined;
  keyId: string | null;
}

/** Returns the cause of what a caller asks for. */
export function toCause({ requestId, keyId }: Caller): Cause {
  return { requestId: requestId ?? null, keyId };
}

/** Returns the cause of a change that was made in a session: a request without an API key. */
export function causeOfSession(sessionId: string | undefined): Cause {
  return sessionId === undefined ? NO_CAUSE : { requestId: newId("req"), keyId: null };
}

/** An event before it has its number. */
export type EventDraft = {
  [Type in AccountEventType]: {
    owner: Owner;
    type: Type;
    /** Null, for a change of cash: the account's cash after the posting. */
    data: StoredEventData[Type] | (Type extends "balance.changed" ? null : never);
    orderId?: string | null;
    cause: Cause;
  };
}[AccountEventType];

/**
 * Creates the cash rows of a new account, or of a new epoch, whose numbers continue those of the epoch
 * before (a trigger sets them, see the migration of `account_events`).
 */
export async function openAccountLog(tx: Tx, owner: Owner): Promise<void> {
  const start = { balance: 0n, version: 0, isBehind: false };
  const cash = { ...available(owner, USDC), ...start };
  const reserved = { ...held(owner, USDC), ...start };
  await tx.execute(sql`${insertRows(ledgerAccounts, [cash, reserved])} on conflict do nothing`);
}

/** Drafts the event of a holding after its change. */
export function draftPositionEvent(row: PositionRow, cause: Cause): EventDraft {
  return {
    owner: { userId: row.userId, epoch: row.epoch },
    type: "position.changed",
    data: toPositionState(row),
    cause,
  };
}

export function toPositionState(row: PositionRow): PositionState {
  const { tokenId, marketId } = row;
  const [shares, cost] = [row.shares.toString(), row.cost.toString()];
  return { tokenId, marketId, shares, cost, realizedPnl: row.realizedPnl.toString() };
}

/**
 * Builds the insert of events. It is part of the statement of `buildPosting`, whose `change` has the
 * number of events per account, and whose `state` has the accounts after the posting.
 */
export function buildEventInsert(events: readonly EventDraft[], at: Date): SQL {
  const positions = new Map<string, number>();
  const rows = events.map(({ owner, type, data, orderId = null, cause }) => {
    const cashId = available(owner, USDC).id;
    const position = (positions.get(cashId) ?? 0) + 1;
    positions.set(cashId, position);
    const mode = owner.epoch === LIVE_EPOCH ? "live" : "paper";
    const { requestId, keyId } = cause;
    const heldId = data === null ? held(owner, USDC).id : null;
    return { cashId, heldId, position, mode, type, data, orderId, requestId, keyId };
  });
  return sql`insert into account_events
      (user_id, mode, seq, epoch, type, data, order_id, request_id, key_id, created_at)
    select change."userId", draft.mode, cash.version - change.events + draft.position,
      change.epoch, draft.type, coalesce(draft.data, json_build_object(
        'available', cash.balance::text, 'held', coalesce(reserved.balance, 0)::text)),
      draft."orderId", draft."requestId", draft."keyId", ${at.toISOString()}::text::timestamptz
    from json_to_recordset(${toJsonRows(rows)}::text::json) as draft
        ("cashId" text, "heldId" text, position integer, mode text, type text, data json,
          "orderId" text, "requestId" text, "keyId" text)
      join change on change.id = draft."cashId"
      join state as cash on cash.id = draft."cashId"
      left join state as reserved on reserved.id = draft."heldId"`;
}
