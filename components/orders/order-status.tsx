import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { OrderStatus } from "@/lib/domain/order-status";

const LOOKS: Record<OrderStatus, { tone: BadgeTone; label: string }> = {
  pending: { tone: "info", label: "Placing…" },
  submitting: { tone: "info", label: "Placing…" },
  delayed: { tone: "warn", label: "Delayed" },
  open: { tone: "info", label: "Open" },
  filled: { tone: "up", label: "Filled" },
  canceled: { tone: "neutral", label: "Canceled" },
  expired: { tone: "neutral", label: "Expired" },
  rejected: { tone: "danger", label: "Rejected" },
  unknown: { tone: "warn", label: "Checking…" },
  abandoned: { tone: "danger", label: "Never arrived" },
};

interface Props {
  status: OrderStatus;
  /** What had filled of it, which an order that is over in another way should not hide. */
  filledShares?: number;
}

/** The state of an order, in a word. */
export function OrderStatusBadge({ status, filledShares = 0 }: Props) {
  const { tone, label } = LOOKS[status];
  const isPart = filledShares > 0 && status !== "filled";
  return <Badge tone={tone}>{isPart ? `${label}, part filled` : label}</Badge>;
}
