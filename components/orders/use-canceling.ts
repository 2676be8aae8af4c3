"use client";

import { useState } from "react";
import { useSWRConfig } from "swr";
import {
  type CancelReport,
  cancelText,
  lateText,
  NO_ANSWER,
} from "@/components/orders/cancel-report";
import { showToast } from "@/lib/client/toasts";
import { SUMMARY_URL } from "@/lib/client/use-summary";

interface Canceling {
  /** Orders whose cancel is on its way, or done while the list does not say so yet. */
  ids: ReadonlySet<string>;
  /** Why an order could not be canceled. */
  problems: ReadonlyMap<string, string>;
  /** Cancels `orderIds` by `send`, and reads the list again. */
  run: (orderIds: readonly string[], send: () => Promise<CancelReport>) => Promise<void>;
}

/** Keeps track of cancels: a row stays until the server has confirmed that its order is gone. */
export function useCanceling(refresh: () => Promise<unknown>): Canceling {
  const { mutate } = useSWRConfig();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const run = async (orderIds: readonly string[], send: () => Promise<CancelReport>) => {
    setIds((before) => new Set([...before, ...orderIds]));
    setProblems((before) => new Map([...before].filter(([id]) => !orderIds.includes(id))));
    const report = await send().catch(() => NO_ANSWER);
    announce(report);
    const { problem } = report;
    if (problem !== null) {
      setProblems(
        (before) => new Map([...before, ...orderIds.map((id) => [id, problem] as const)]),
      );
    }
    await Promise.allSettled([refresh(), mutate(SUMMARY_URL)]);
    // A canceled order does not come back, so it stays marked until the list has let it go.
    const gone = new Set<string>(report.canceled);
    setIds((before) => new Set([...before].filter((id) => gone.has(id) || !orderIds.includes(id))));
  };
  return { ids, problems, run };
}

function announce({ canceled, late, problem }: CancelReport): void {
  if (problem !== null) {
    showToast({ id: "cancel-problem", tone: "error", text: problem });
    return;
  }
  for (const { id, status } of late.slice(0, 2)) {
    showToast({
      id: `late-${id}`,
      tone: "info",
      text: lateText(status),
      link: { href: `/orders/${id}`, label: "View" },
    });
  }
  if (canceled.length === 0) return;
  const [first = ""] = canceled;
  showToast({ id: `canceled-${first}`, tone: "success", text: cancelText(canceled.length, 0) });
}
