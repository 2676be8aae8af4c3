import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { OrderOrigin, OrderStatus } from "@/lib/domain/order-status";

const LOOKS: Record<OrderStatus, { tone: BadgeTone; label: string }> = {
  pending: { tone: "info", label: "Placing…" },
  pending_approval: { tone: "warn", label: "Waits for approval" },
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
  /** Shows partial fills of orders with another status. */
  filledShares?: number;
  origin?: OrderOrigin;
}

/** The badge of an order's status. */
export function OrderStatusBadge({ status, filledShares = 0, origin = "ante" }: Props) {
  const { tone, label } = LOOKS[status];
  const isPart = filledShares > 0 && status !== "filled";
  return (
    <>
      <Badge tone={tone}>{isPart ? `${label}, part filled` : label}</Badge>
      {origin === "external" && <ExternalBadge />}
    </>
  );
}

/** Marks an order that another app placed with the same wallet. */
export function ExternalBadge() {
  return (
    <>
      {" "}
      <Badge tone="neutral">External</Badge>
    </>
  );
}
