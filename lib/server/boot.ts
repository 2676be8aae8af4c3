import "server-only";
import { startAttemptSweep } from "@/lib/auth/forget-attempts";
import { checkCustody } from "@/lib/custody/check-custody";
import { closeDatabase, getDatabase } from "@/lib/db/client";
import { env } from "@/lib/env";
import { startKeyEndWatch } from "@/lib/accounts/announce-key-ends";
import { startHeartbeatSweep } from "@/lib/sandbox/heartbeat";
import { checkDatabase } from "@/lib/server/check-database";
import { checkHosting } from "@/lib/server/check-hosting";
import { logConsole } from "@/lib/server/console";
import { readEventLoopDelay } from "@/lib/ops/event-loop";
import { startResolutionWatch } from "@/lib/markets/announce-resolutions";
import { startBooksWatch } from "@/lib/ops/books-watch";
import { startSnapshots } from "@/lib/ops/account-snapshots";
import { startContractWatch } from "@/lib/orders/live/contract-watch";
import { startReconciler } from "@/lib/orders/live/reconciler";
import { startRequestLog } from "@/lib/api/middleware/request-log";
import { ensureDemoAccount } from "@/lib/demo/ensure-demo-account";
import { startTicker } from "@/lib/exchange/ticker";
import { startApprovals } from "@/lib/approvals/end-approvals";
import { startFreezeSweep } from "@/lib/limits/freeze";
import { startPush } from "@/lib/push/deliver-push";
import { startWebhooks } from "@/lib/webhooks/deliver";
import { startAutomaticClaims } from "@/lib/portfolio/claim-automatically";
import { closeUpstreams } from "@/lib/polymarket/http";
import { startWalletTransactions } from "@/lib/wallet-transactions/advance";

const BOOTED = Symbol.for("ante.booted");
const holder = globalThis as typeof globalThis & { [BOOTED]?: Promise<() => Promise<void>> };

/**
 * Starts the service once per process: checks the environment, opens and migrates the database,
 * creates the demo account and starts the periodic work.
 *
 * @returns a function that stops it.
 */
export function boot(): Promise<() => Promise<void>> {
  holder[BOOTED] ??= start();
  return holder[BOOTED];
}

async function start(): Promise<() => Promise<void>> {
  // next-auth reads its public origin from the environment only.
  process.env["NEXTAUTH_URL"] = env().NEXTAUTH_URL;
  if (process.env.NODE_ENV !== "development") logConsole();
  checkHosting(env(), { isVercel: process.env["VERCEL"] === "1" });
  await getDatabase();
  await checkDatabase();
  await checkCustody();
  await ensureDemoAccount();
  // The first read starts the measurement.
  readEventLoopDelay();
  const stops = [
    startRequestLog(),
    startBooksWatch(),
    startResolutionWatch(),
    startSnapshots(),
    startWebhooks(),
    startPush(),
    startFreezeSweep(),
    startAttemptSweep(),
    startApprovals(),
  ];
  if (env().VENUES.includes("paper")) stops.push(startTicker(), startHeartbeatSweep());
  if (env().VENUES.includes("polymarket")) {
    stops.push(
      startContractWatch(),
      startReconciler(),
      startKeyEndWatch(),
      startWalletTransactions(),
      startAutomaticClaims(),
    );
  }
  return async () => {
    for (const stop of stops.toReversed()) await stop();
    await closeUpstreams();
    await closeDatabase();
  };
}
