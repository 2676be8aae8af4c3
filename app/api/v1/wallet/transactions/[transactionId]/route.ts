import { route } from "@/lib/api/route";
import { cancelTransaction } from "@/lib/wallet-transactions/cancel-transaction";
import { getTransaction } from "@/lib/wallet-transactions/list-transactions";

export const GET = route("getTransaction", ({ principal, params }) =>
  getTransaction(principal, params.transactionId),
);

export const DELETE = route("cancelTransaction", ({ principal, params }) =>
  cancelTransaction(principal, params.transactionId),
);
