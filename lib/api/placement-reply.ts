import "server-only";
import { Reply } from "@/lib/api/http/respond";
import type { Placement } from "@/lib/orders/place-order";

/** Returns the stored response of a placement, byte for byte, with the path of its order. */
export function toPlacementReply({ answer, orderId, isReplay }: Placement): Reply {
  return new Reply(answer, {
    location: `/v1/orders/${orderId}`,
    ...(isReplay ? { "idempotent-replayed": "true" } : {}),
  });
}
