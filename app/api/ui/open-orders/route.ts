import { sessionRead } from "@/lib/http/session-read";
import { OpenOrderBoard } from "@/lib/schemas/order-views";
import { readOpenOrderBoard } from "@/lib/services/orders/open-order-board";
import { readOpenFilter } from "@/lib/services/orders/order-filters";

export const GET = sessionRead(OpenOrderBoard, (principal, query) =>
  readOpenOrderBoard(principal, readOpenFilter(query)),
);
