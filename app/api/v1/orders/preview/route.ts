import { route } from "@/lib/api/route";
import { previewOrder } from "@/lib/orders/preview-order";

export const POST = route("previewOrder", ({ principal, body }) => previewOrder(principal, body));

// To GET and DELETE, "preview" is an order id like any other.
export { DELETE, GET } from "@/app/api/v1/orders/[orderId]/route";
