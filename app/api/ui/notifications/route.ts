import { sessionRead } from "@/lib/api/session-read";
import { listNotifications } from "@/lib/notifications/list-notifications";
import { NotificationList } from "@/lib/schemas/notifications";

/** As many as the menu shows. */
const NEWEST = 6;

export const GET = sessionRead(NotificationList, (principal) =>
  listNotifications(principal, NEWEST),
);
