import { route } from "@/lib/api/route";
import { replayEvents } from "@/lib/webhooks/manage-webhooks";

export const POST = route("replayEvents", ({ principal, params, query }) =>
  replayEvents(principal, params.webhookId, query.after ?? 0),
);
