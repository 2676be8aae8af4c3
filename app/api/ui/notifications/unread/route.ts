import { sessionRead } from "@/lib/api/session-read";
import { getUnread } from "@/lib/notifications/unread";
import { UnreadCount } from "@/lib/schemas/notifications";

export const GET = sessionRead(UnreadCount, (principal) => getUnread(principal));
