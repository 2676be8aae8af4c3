import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Badge } from "@/components/ui/badge";
import type { Webhook } from "@/lib/schemas/webhooks";

export type WebhookWire = z.input<typeof Webhook>;

/** An endpoint's state, as a badge. */
export function WebhookState({ status, failingSince }: WebhookWire) {
  if (status === "disabled") return <Badge tone="danger">Disabled</Badge>;
  if (status === "pending") return <Badge tone="warn">Pending</Badge>;
  return failingSince === null ? (
    <Badge tone="up">Active</Badge>
  ) : (
    <Badge tone="warn">Failing</Badge>
  );
}

/** The types of events that an endpoint gets. */
export function WebhookTypes({ types }: Pick<WebhookWire, "types">) {
  if (types === null) return "All events";
  return types.length === 1 ? types[0] : `${types.length} types`;
}

/** Since when an endpoint fails. */
export function FailingSince({ failingSince }: Pick<WebhookWire, "failingSince">) {
  return failingSince === null ? "–" : <TimeStamp at={failingSince} />;
}
