import { operatorRoute } from "@/lib/api/operator";
import { announceResolutions } from "@/lib/markets/announce-resolutions";
import { snapshotBehindAccounts } from "@/lib/ops/account-snapshots";
import { runDueCheck } from "@/lib/ops/books-watch";
import { reconcile } from "@/lib/orders/live/reconcile-leases";

/** For hosts without a process that stays: called every minute by their scheduler. */
export const GET = operatorRoute("/api/cron/reconcile", async () => {
  const report = await reconcile();
  await announceResolutions();
  await snapshotBehindAccounts();
  return { ...report, booksChecked: await runDueCheck() };
});
