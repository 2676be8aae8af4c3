import { GET as operation } from "@/app/api/v1/account/balance/route";

export const GET = operation.forSession;
