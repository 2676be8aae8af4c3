import { route } from "@/lib/api/route";
import { testWebhook } from "@/lib/webhooks/manage-webhooks";

export const POST = route("testWebhook", ({ principal, params }) =>
  testWebhook(principal, params.webhookId),
);
