import { route } from "@/lib/api/route";
import { listActivity } from "@/lib/activity/list-activity";

export const GET = route("listActivity", ({ principal, query }) => listActivity(principal, query));
