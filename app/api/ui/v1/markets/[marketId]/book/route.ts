import { GET as operation } from "@/app/api/v1/markets/[marketId]/book/route";

export const GET = operation.forSession;
