import { route } from "@/lib/api/route";
import { changeWebhook, deleteWebhook, getWebhook } from "@/lib/webhooks/manage-webhooks";

export const GET = route("getWebhook", ({ principal, params }) =>
  getWebhook(principal, params.webhookId),
);

export const PATCH = route("changeWebhook", ({ principal, params, body }) =>
  changeWebhook(principal, params.webhookId, body),
);

export const DELETE = route("deleteWebhook", ({ principal, params }) =>
  deleteWebhook(principal, params.webhookId),
);
