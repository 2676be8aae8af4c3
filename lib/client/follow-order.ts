import { mutate } from "swr";
import type { z } from "zod";
import { fetchData } from "@/lib/client/fetcher";
import { CLOSED_STATUSES } from "@/lib/domain/order-status";
import type { OrderRecord } from "@/lib/schemas/orders";
import type { PlacementStateWire } from "@/lib/schemas/ticket";

export type OrderRecordWire = z.input<typeof OrderRecord>;

/** When an order's fate is asked for after it was accepted. */
const DELAYS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];
const ACCOUNT_READS = /^\/api\/ui\/(summary|ticket|open-orders|v1\/)/;

/**
 * Reads an order until it is over or rests on the book, and says each time what it has come to.
 *
 * @returns the last record, or null when it could not be read.
 */
export async function followOrder(
  orderId: string,
  tell: (record: OrderRecordWire) => void,
): Promise<OrderRecordWire | null> {
  let last: OrderRecordWire | null = null;
  for (const delayMs of DELAYS_MS) {
    await wait(delayMs);
    try {
      last = await fetchData<OrderRecordWire>(`/api/ui/v1/orders/${orderId}`);
    } catch {
      // The next try may reach the service again.
      continue;
    }
    tell(last);
    if (isSettled(last.status)) break;
  }
  await refreshAccountReads();
  return last;
}

/**
 * Asks, with growing patience, whether an order whose answer got lost has arrived.
 *
 * @returns null when the service could not be reached.
 */
export async function findPlaced(idempotencyKey: string): Promise<PlacementStateWire | null> {
  let state: PlacementStateWire | null = null;
  for (const delayMs of DELAYS_MS.slice(1, 6)) {
    await wait(delayMs);
    try {
      state = await askForPlacement(idempotencyKey);
    } catch {
      continue;
    }
    if (state.state === "accepted" || state.state === "refused") break;
  }
  return state;
}

/** What the service knows of a key now. Throws when it cannot be reached. */
export function askForPlacement(idempotencyKey: string): Promise<PlacementStateWire> {
  return fetchData(`/api/ui/placement?key=${encodeURIComponent(idempotencyKey)}`);
}

/** Balances, positions and orders on the page are read again, because an order changed them. */
export async function refreshAccountReads(): Promise<void> {
  await mutate((key) => typeof key === "string" && ACCOUNT_READS.test(key));
}

/** Over, or resting on the book, where it may stay for months. */
const isSettled = (status: OrderRecordWire["status"]) =>
  status === "open" || CLOSED_STATUSES.some((closed) => closed === status);

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
