import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { insertRows, writeTogether } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import type { OrderEventInsert, OrderRow } from "@/lib/db/rows";
import type { OrderState } from "@/lib/db/schema/account-events";
import { orderEvents } from "@/lib/db/schema/trading";
import type { OrderEventType } from "@/lib/domain/account-events";
import { isLive } from "@/lib/domain/order-status";
import type { Cause, EventDraft } from "@/lib/ledger/account-log";
import { buildPosting } from "@/lib/ledger/transfers";

/**
 * The event of the account for each event of an order. A sent order was received in the same transaction;
 * fills have events of their own.
 */
const ACCOUNT_TYPES: Record<OrderEventInsert["type"], OrderEventType | null> = {
  received: "order.received",
  approval_requested: "order.approval_requested",
  approved: "order.approved",
  delayed: "order.delayed",
  opened: "order.opened",
  filled: "order.filled",
  canceled: "order.canceled",
  expired: "order.expired",
  rejected: "order.rejected",
  unknown: "order.unknown",
  cancel_requested: "order.cancel_requested",
  abandoned: "order.abandoned",
  submitted: null,
  matched: null,
  reversed: null,
};

type Event = Pick<OrderEventInsert, "type" | "detail">;

/** Drafts what the owner's log says about an event of an order; nothing if it says nothing. */
export function draftOrderEvents(
  row: OrderRow,
  { type, detail }: Event,
  cause: Cause,
): EventDraft[] {
  const common = { owner: { userId: row.userId, epoch: row.epoch }, orderId: row.id, cause };
  const { fillId } = detail;
  if (fillId !== undefined && (type === "matched" || type === "reversed")) {
    const fillType = type === "matched" ? "fill.created" : "fill.reversed";
    return [{ ...common, type: fillType, data: { fillId } }];
  }
  const accountType = ACCOUNT_TYPES[type];
  if (accountType === null) return [];
  return [{ ...common, type: accountType, data: { ...toOrderState(row), detail } }];
}

/** Builds the insert of events of orders. The same transaction adds them to the account's log. */
export function buildOrderEventInsert(events: readonly OrderEventInsert[]): SQL {
  return insertRows(orderEvents, events, { is_logged: sql`true` });
}

/** An event of an order, and the order after it. */
interface RecordedEvent extends Pick<OrderEventInsert, "type" | "detail"> {
  row: OrderRow;
  keyId: string | null;
}

/** Writes events of orders to their histories and to the log of their account. */
export async function recordOrderEvents(
  tx: Tx,
  events: readonly RecordedEvent[],
  cause: Cause,
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const history = events.map(({ row, type, keyId, detail }) => ({
    orderId: row.id,
    type,
    keyId,
    detail,
    createdAt: row.updatedAt,
  }));
  const drafts = events.flatMap((event) => draftOrderEvents(event.row, event, cause));
  await writeTogether(tx, [
    buildOrderEventInsert(history),
    ...buildPosting({ transfers: [], events: drafts }, first.row.updatedAt),
  ]);
}

/**
 * Drafts an event for each order that traded and can still trade, or whose last event does not show its
 * final state. So the log always ends with the orders as they are stored.
 *
 * @param drafts the events of the transaction so far.
 * @param filledIds the orders that traded.
 */
export function draftFinalStates(
  rows: readonly OrderRow[],
  { drafts, filledIds }: { drafts: readonly EventDraft[]; filledIds: ReadonlySet<string> },
  findCause: (userId: string) => Cause,
): EventDraft[] {
  const shown = new Map<string, OrderState>();
  for (const draft of drafts) {
    if (draft.orderId && isOrderDraft(draft)) shown.set(draft.orderId, draft.data);
  }
  return rows.flatMap((row) => {
    const isPartlyFilled = filledIds.has(row.id) && isLive(row.status);
    const state = toOrderState(row);
    if (!isPartlyFilled && isSameState(state, shown.get(row.id))) return [];
    return [
      {
        owner: { userId: row.userId, epoch: row.epoch },
        type: isPartlyFilled ? ("order.partially_filled" as const) : ("order.updated" as const),
        data: { ...state, detail: {} },
        orderId: row.id,
        cause: findCause(row.userId),
      },
    ];
  });
}

const isOrderDraft = (draft: EventDraft): draft is Extract<EventDraft, { type: OrderEventType }> =>
  draft.type.startsWith("order.");

function isSameState(state: OrderState, shown: OrderState | undefined): boolean {
  return (
    state.status === shown?.status &&
    state.filledShares === shown.filledShares &&
    state.filledNotional === shown.filledNotional &&
    state.fee === shown.fee &&
    state.updatedAt === shown.updatedAt
  );
}

function toOrderState(row: OrderRow): OrderState {
  return {
    status: row.status,
    filledShares: row.filledShares.toString(),
    filledNotional: row.filledNotional.toString(),
    fee: row.fee.toString(),
    updatedAt: row.updatedAt.getTime(),
  };
}
