"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import type { z } from "zod";
import { usePreferences } from "@/components/format/preferences";
import { useLive } from "@/lib/browser/use-live";
import type { OrderRecord } from "@/lib/schemas/orders";

interface Props {
  record: z.input<typeof OrderRecord>;
  /** When the server read it, in milliseconds since the epoch. */
  at: number;
}

/** Polls an order that isn't closed, and renders the page again when it changes. */
export function OrderWatch({ record, at }: Props) {
  const router = useRouter();
  const { liveUpdates } = usePreferences();
  const url = `/api/ui/v1/orders/${record.id}`;
  const live = useLive("openOrders", url, { data: record, at }, liveUpdates);
  const isChanged = live.data.updatedAt > record.updatedAt;
  useEffect(() => {
    if (isChanged) router.refresh();
  }, [isChanged, router]);
  return null;
}
