import { sessionRead } from "@/lib/http/session-read";
import { AccountSummary } from "@/lib/schemas/dashboard";
import { getSummary } from "@/lib/services/portfolio/get-summary";

export const GET = sessionRead(AccountSummary, (principal) => getSummary(principal));
