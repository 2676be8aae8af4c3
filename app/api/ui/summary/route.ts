import { sessionRead } from "@/lib/api/session-read";
import { AccountSummary } from "@/lib/schemas/dashboard";
import { getSummary } from "@/lib/portfolio/get-summary";

export const GET = sessionRead(AccountSummary, (principal) => getSummary(principal));
