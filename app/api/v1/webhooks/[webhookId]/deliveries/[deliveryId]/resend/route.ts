import { route } from "@/lib/api/route";
import { resendDelivery } from "@/lib/webhooks/list-deliveries";

export const POST = route("resendDelivery", ({ principal, params }) =>
  resendDelivery(principal, params.webhookId, params.deliveryId),
);
