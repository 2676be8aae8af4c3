import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { listFills } from "@/lib/services/activity/list-fills";

export const GET = route("listFills", ({ principal, query }) => listFills(principal, query));

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
