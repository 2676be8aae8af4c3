import "server-only";
import { Reply } from "@/lib/http/respond";
import type { Placement } from "@/lib/services/orders/place-order";

/** The stored answer of a placement, byte for byte, and where its order can be looked up. */
export function placementReply({ answer, orderId, isReplay }: Placement): Reply {
  return new Reply(answer, {
    location: `/v1/orders/${orderId}`,
    ...(isReplay ? { "idempotent-replayed": "true" } : {}),
  });
}
