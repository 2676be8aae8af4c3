import { route } from "@/lib/api/route";
import { listDeliveries } from "@/lib/webhooks/list-deliveries";

export const GET = route("listDeliveries", ({ principal, params, query }) =>
  listDeliveries(principal, params.webhookId, query),
);
