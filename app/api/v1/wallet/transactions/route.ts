import { route } from "@/lib/api/route";
import { listTransactions } from "@/lib/wallet-transactions/list-transactions";

export const GET = route("listTransactions", ({ principal }) => listTransactions(principal));
