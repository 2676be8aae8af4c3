import { GET as operation } from "@/app/api/v1/activity/route";

export const GET = operation.forSession;
