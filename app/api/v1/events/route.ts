import { route } from "@/lib/api/route";
import { listEvents } from "@/lib/events/list-events";

export const GET = route("listEvents", ({ principal, query }) => listEvents(principal, query));
