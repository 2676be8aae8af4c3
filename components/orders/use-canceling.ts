"use client";

import { useState } from "react";
import { useSWRConfig } from "swr";
import {
  type CancelReport,
  describeCanceled,
  describeLate,
  NO_RESPONSE,
} from "@/components/orders/cancel-report";
import { createCanceledToast, readRemaining, toToastId } from "@/components/orders/cancel-toast";
import { dismissToast, showToast } from "@/lib/browser/toasts";
import type { Live } from "@/lib/browser/use-live";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";
import { SUMMARY_URL } from "@/lib/browser/use-summary";

interface Canceling {
  /** Orders that are being canceled, or that are canceled but still in the list. */
  ids: ReadonlySet<string>;
  /** The error per order. */
  problems: ReadonlyMap<string, string>;
  /** Cancels orders with `send` and refetches the list. */
  run: (orderIds: readonly string[], send: () => Promise<CancelReport>) => Promise<void>;
}

/** Tracks cancels. A row stays until the server confirms that its order is canceled. */
export function useCanceling({ data, refresh }: Live<OpenOrdersWire>): Canceling {
  const { mutate } = useSWRConfig();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const run = async (orderIds: readonly string[], send: () => Promise<CancelReport>) => {
    setIds((before) => new Set([...before, ...orderIds]));
    setProblems((before) => new Map([...before].filter(([id]) => !orderIds.includes(id))));
    const report = await send().catch(() => NO_RESPONSE);
    announce(report, data.orders);
    const { problem } = report;
    if (problem !== null) {
      setProblems(
        (before) => new Map([...before, ...orderIds.map((id) => [id, problem] as const)]),
      );
    }
    await Promise.allSettled([refresh(), mutate(SUMMARY_URL)]);
    // A canceled order stays marked until the list no longer has it.
    const gone = new Set<string>(report.canceled);
    setIds((before) => new Set([...before].filter((id) => gone.has(id) || !orderIds.includes(id))));
  };
  return { ids, problems, run };
}

function announce(
  { canceled, late, problem }: CancelReport,
  orders: OpenOrdersWire["orders"],
): void {
  if (problem !== null) {
    showToast({ id: "cancel-problem", tone: "error", text: problem });
    return;
  }
  // The ticket's toasts of an order have its idempotency key as id, too.
  const find = (id: string) => orders.find((one) => one.id === id);
  const toastId = (id: string) => toToastId(find(id) ?? { id, idempotencyKey: null });
  for (const { id, status } of late.slice(0, 2)) {
    showToast({
      id: toastId(id),
      tone: "info",
      text: describeLate(status),
      link: { href: `/orders/${id}`, label: "View" },
    });
  }
  const [first, ...others] = canceled.map(toastId);
  if (first === undefined) return;
  for (const id of others) dismissToast(id);
  const only = canceled.length === 1 ? find(canceled[0] ?? "") : undefined;
  showToast(
    only
      ? createCanceledToast({ ...only, shares: readRemaining(only) })
      : { id: first, tone: "success", text: describeCanceled(canceled.length, 0) },
  );
}
