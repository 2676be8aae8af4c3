import { operatorRoute } from "@/lib/http/operator";
import { watchBooks } from "@/lib/services/ops/books-watch";
import { reconcile } from "@/lib/services/remote-orders/reconcile";

/** For hosts without a process that stays: called every minute by their scheduler. */
export const GET = operatorRoute("/api/cron/reconcile", async () => {
  const report = await reconcile();
  return { ...report, booksChecked: await watchBooks() };
});
