import { GET as operation } from "@/app/api/v1/markets/[marketId]/history/route";

export const GET = operation.forSession;
