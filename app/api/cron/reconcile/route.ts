import { announceKeyEnds } from "@/lib/accounts/announce-key-ends";
import { operatorRoute } from "@/lib/api/operator";
import { sweepApprovals } from "@/lib/approvals/end-approvals";
import { announceResolutions } from "@/lib/markets/announce-resolutions";
import { snapshotBehindAccounts } from "@/lib/ops/account-snapshots";
import { runDueCheck } from "@/lib/ops/books-watch";
import { sweepFreezes } from "@/lib/limits/freeze";
import { reconcile } from "@/lib/orders/live/reconcile-leases";
import { claimAutomatically } from "@/lib/portfolio/claim-automatically";
import { pushDue } from "@/lib/push/deliver-push";
import { advanceDue } from "@/lib/wallet-transactions/advance";
import { deliverDue } from "@/lib/webhooks/deliver";

/** The time for webhooks and push notifications, of the minute between two calls. */
const DELIVER_FOR_MS = 10_000;

/** For hosts without a process that stays: called every minute by their scheduler. */
export const GET = operatorRoute("/api/cron/reconcile", async () => {
  const report = await reconcile();
  await claimAutomatically();
  await Promise.all([advanceDue(), sweepFreezes(), sweepApprovals()]);
  await announceResolutions();
  await announceKeyEnds();
  await Promise.all([deliverDue(DELIVER_FOR_MS), pushDue(DELIVER_FOR_MS)]);
  await snapshotBehindAccounts();
  return { ...report, booksChecked: await runDueCheck() };
});
