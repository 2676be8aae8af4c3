import { GET as operation } from "@/app/api/v1/positions/route";

export const GET = operation.forSession;
