import { route } from "@/lib/api/route";
import { createWebhook, listWebhooks } from "@/lib/webhooks/manage-webhooks";

export const GET = route("listWebhooks", ({ principal }) => listWebhooks(principal));

export const POST = route("createWebhook", ({ principal, body }) => createWebhook(principal, body));
