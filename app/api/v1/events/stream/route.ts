import { route } from "@/lib/api/route";
import { streamEvents } from "@/lib/api/stream-reply";

export const dynamic = "force-dynamic";

export const GET = route("streamEvents", ({ principal, query, headers }) =>
  streamEvents(principal, query, headers.get("last-event-id")),
);
