import { route } from "@/lib/api/route";
import { listFills } from "@/lib/activity/list-fills";

export const GET = route("listFills", ({ principal, query }) => listFills(principal, query));
