import { GET as operation } from "@/app/api/v1/orders/route";

export const GET = operation.forSession;
