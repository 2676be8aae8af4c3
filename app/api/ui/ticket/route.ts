import { sessionRead } from "@/lib/api/session-read";
import { TicketAccount } from "@/lib/schemas/ticket";
import { getTicketAccount } from "@/lib/orders/get-ticket-account";

export const GET = sessionRead(TicketAccount, (principal, query) =>
  getTicketAccount(principal, query.get("market") ?? ""),
);
