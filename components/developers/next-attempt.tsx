"use client";

import { usePreferences } from "@/components/format/preferences";
import { formatClock, formatDay, formatUtc } from "@/components/format/times";
import type { DeliveryQueue } from "@/lib/domain/delivery-queue";

interface Props {
  delivery: { id: string; nextAttemptAt: string | null };
  /** Which delivery the endpoint gets next. */
  queue: DeliveryQueue;
  /** Whether the time has its label. */
  isNamed?: boolean;
}

/** When a delivery is sent next, or what it waits for; nothing if it isn't sent again. */
export function NextAttempt({ delivery, queue, isNamed = false }: Props) {
  const { id, nextAttemptAt } = delivery;
  const { zone, hour12 } = usePreferences();
  if (nextAttemptAt === null) return null;
  if (!queue.isActive) return "Waits until the endpoint is active";
  if (queue.first !== null && queue.first.id !== id) return `Waits for event ${queue.first.seq}`;
  return (
    <>
      {isNamed && "Next attempt: "}
      {/* With seconds, because the first attempts are seconds apart. */}
      <time dateTime={nextAttemptAt} title={formatUtc(nextAttemptAt)} className="num">
        {formatDay(nextAttemptAt, zone)}, {formatClock(Date.parse(nextAttemptAt), { zone, hour12 })}
      </time>
    </>
  );
}
