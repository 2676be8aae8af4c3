import { route } from "@/lib/api/route";
import { rotateWebhook } from "@/lib/webhooks/manage-webhooks";

export const POST = route("rotateWebhook", ({ principal, params }) =>
  rotateWebhook(principal, params.webhookId),
);
