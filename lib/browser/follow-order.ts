import { mutate } from "swr";
import type { z } from "zod";
import { fetchData } from "@/lib/browser/fetcher";
import { CLOSED_STATUSES } from "@/lib/domain/order-status";
import type { OrderRecord } from "@/lib/schemas/orders";
import type { PlacementStateWire } from "@/lib/schemas/ticket";

export type OrderRecordWire = z.input<typeof OrderRecord>;

/** The delays between the reads of an accepted order. */
const DELAYS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];
const ACCOUNT_READS = /^\/api\/ui\/(summary|ticket|open-orders|own-market|v1\/)/;

/**
 * Polls an order until it is closed or rests on the book, and reports each record. The account on the
 * page is brought up to date before the last record is reported, so that both show the same.
 */
export async function followOrder(
  orderId: string,
  onRecord: (record: OrderRecordWire) => void,
  updateAccount: () => Promise<void>,
): Promise<void> {
  for (const delayMs of DELAYS_MS) {
    await wait(delayMs);
    const record = await readOrder(orderId);
    // The next attempt can succeed.
    if (!record) continue;
    if (!isSettled(record.status)) {
      onRecord(record);
      continue;
    }
    await updateAccount();
    // An open order can have been canceled or filled meanwhile.
    const newest = record.status === "open" ? await readOrder(orderId) : record;
    return onRecord(newest ?? record);
  }
  await updateAccount();
}

const readOrder = (orderId: string): Promise<OrderRecordWire | null> =>
  fetchData<OrderRecordWire>(`/api/ui/v1/orders/${orderId}`).catch(() => null);

/**
 * Polls for an order whose response was lost, with growing delays.
 *
 * @returns null if the service could not be reached.
 */
export async function pollPlacement(idempotencyKey: string): Promise<PlacementStateWire | null> {
  let state: PlacementStateWire | null = null;
  for (const delayMs of DELAYS_MS.slice(1, 6)) {
    await wait(delayMs);
    try {
      state = await fetchPlacement(idempotencyKey);
    } catch {
      continue;
    }
    if (state.state === "accepted" || state.state === "refused") break;
  }
  return state;
}

/** Fetches the state of the order with an idempotency key. Throws if the service can't be reached. */
export function fetchPlacement(idempotencyKey: string): Promise<PlacementStateWire> {
  return fetchData(`/api/ui/placement?key=${encodeURIComponent(idempotencyKey)}`);
}

/** Refetches balances, positions and orders on the page after an order changed them. */
export async function refreshAccountReads(): Promise<void> {
  await mutate((key) => typeof key === "string" && ACCOUNT_READS.test(key));
}

/** Closed, or resting on the book, where it can stay for months. */
export const isSettled = (status: OrderRecordWire["status"]) =>
  status === "open" || CLOSED_STATUSES.some((closed) => closed === status);

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
