import { sessionRead } from "@/lib/api/session-read";
import { getOrderDetails } from "@/lib/orders/get-order-details";
import { OrderDetails } from "@/lib/schemas/dashboard-orders";

export const GET = sessionRead(OrderDetails, (principal, query) =>
  getOrderDetails(principal, query.get("id") ?? ""),
);
