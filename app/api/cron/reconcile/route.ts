import { cronJob } from "@/lib/http/cron";
import { reconcile } from "@/lib/services/remote-orders/reconcile";

/** For hosts without a process that stays: called every minute by their scheduler. */
export const GET = cronJob(reconcile);
