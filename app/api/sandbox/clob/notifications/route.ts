import { clobRoute } from "@/lib/sandbox/clob-route";
import { dropNotifications, listNotifications } from "@/lib/sandbox/notifications";

export const GET = clobRoute("key", ({ caller, query }) => listNotifications(caller, query));
export const DELETE = clobRoute("key", ({ caller, query }) => dropNotifications(caller, query));
