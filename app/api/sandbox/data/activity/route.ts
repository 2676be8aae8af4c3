import { listActivity } from "@/lib/sandbox/data/activity";
import { openRoute } from "@/lib/sandbox/open-route";

export const GET = openRoute(({ query }) => listActivity(query));
