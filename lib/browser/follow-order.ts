import { mutate } from "swr";
import type { z } from "zod";
import { watchAccountChanges } from "@/lib/browser/account-changes";
import { fetchData } from "@/lib/browser/fetcher";
import { CLOSED_STATUSES } from "@/lib/domain/order-status";
import type { OrderRecord } from "@/lib/schemas/orders";
import type { PlacementStateWire } from "@/lib/schemas/ticket";

export type OrderRecordWire = z.input<typeof OrderRecord>;

/** When an accepted order is read, counted from its acceptance. Events of the account add reads. */
const READ_AT_MS = [0, 500, 1_500, 3_500, 7_500, 15_500, 23_500, 31_500];
/** The delays between the lookups of an order whose response was lost. */
const LOOKUP_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000];
const ACCOUNT_READS = /^\/api\/ui\/(summary|ticket|open-orders|own-market|v1\/)/;

/**
 * Polls an order until it is closed or rests on the book, and reports each record. An event of the
 * account reads it at once. The account on the page is brought up to date before the last record is
 * reported, so that both show the same.
 */
export async function followOrder(
  orderId: string,
  onRecord: (record: OrderRecordWire) => void,
  updateAccount: () => Promise<void>,
): Promise<void> {
  const start = Date.now();
  for (const atMs of READ_AT_MS) {
    do {
      await waitForChange(start + atMs - Date.now());
      const record = await readOrder(orderId);
      if (record && isSettled(record.status)) {
        await updateAccount();
        // An open order can have been canceled or filled meanwhile.
        const newest = record.status === "open" ? await readOrder(orderId) : record;
        return onRecord(newest ?? record);
      }
      // Without a record, the next attempt can succeed.
      if (record) onRecord(record);
    } while (Date.now() < start + atMs);
  }
  await updateAccount();
}

/** Waits for the next event of the account, but not longer than `ms`. */
async function waitForChange(ms: number): Promise<void> {
  let stop: () => void = () => undefined;
  const change = new Promise<void>((resolve) => {
    stop = watchAccountChanges(resolve);
  });
  await Promise.race([change, wait(ms)]);
  stop();
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
  for (const delayMs of LOOKUP_DELAYS_MS) {
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
