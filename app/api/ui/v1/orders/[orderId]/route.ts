import { GET as operation } from "@/app/api/v1/orders/[orderId]/route";

export const GET = operation.forSession;
