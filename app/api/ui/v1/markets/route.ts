import { GET as operation } from "@/app/api/v1/markets/route";

export const GET = operation.forSession;
