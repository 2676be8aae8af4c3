import { route } from "@/lib/api/route";
import { getTransaction } from "@/lib/wallet-transactions/list-transactions";

export const GET = route("getTransaction", ({ principal, params }) =>
  getTransaction(principal, params.transactionId),
);
