import Link from "next/link";
import { AttemptTime } from "@/components/developers/attempt-time";
import type { DeliveryQueue } from "@/lib/domain/delivery-queue";

interface Props {
  webhookId: string;
  delivery: { id: string; nextAttemptAt: string | null };
  /** Which delivery the endpoint gets next. */
  queue: DeliveryQueue;
  /** Whether the time has its label. */
  isNamed?: boolean;
}

/** When a delivery is sent next, or what it waits for; nothing if it isn't sent again. */
export function NextAttempt({ webhookId, delivery, queue, isNamed = false }: Props) {
  const { id, nextAttemptAt } = delivery;
  const { isActive, first } = queue;
  if (nextAttemptAt === null) return null;
  if (!isActive) return "Waits until the endpoint is active";
  if (first !== null && first.id !== id) {
    return (
      <>
        Waits for{" "}
        <Link
          href={`/developers/webhooks/${webhookId}/deliveries/${first.id}`}
          prefetch={false}
          className="link"
        >
          event {first.seq}
        </Link>
      </>
    );
  }
  return (
    <>
      {isNamed && "Next attempt: "}
      <AttemptTime at={nextAttemptAt} />
    </>
  );
}
