import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { listActivity } from "@/lib/services/activity/list-activity";

export const GET = route("listActivity", ({ principal, query }) => listActivity(principal, query));

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
