import { sessionRead } from "@/lib/http/session-read";
import { TicketAccount } from "@/lib/schemas/ticket";
import { getTicketAccount } from "@/lib/services/ticket/get-ticket-account";

export const GET = sessionRead(TicketAccount, (principal, query) =>
  getTicketAccount(principal, query.get("market") ?? ""),
);
