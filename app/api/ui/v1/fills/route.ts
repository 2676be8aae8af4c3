import { GET as operation } from "@/app/api/v1/fills/route";

export const GET = operation.forSession;
