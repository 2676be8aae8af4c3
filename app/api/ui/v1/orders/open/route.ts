import { GET as operation } from "@/app/api/v1/orders/open/route";

export const GET = operation.forSession;
