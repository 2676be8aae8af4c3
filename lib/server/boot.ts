import "server-only";
import { checkCustody } from "@/lib/custody/check-custody";
import { closeDatabase, getDatabase } from "@/lib/db/client";
import { env } from "@/lib/env";
import { startHeartbeatSweep } from "@/lib/sandbox/heartbeat";
import { checkHosting } from "@/lib/server/check-hosting";
import { logConsole } from "@/lib/server/console";
import { readEventLoopDelay } from "@/lib/services/ops/event-loop";
import { startBooksWatch } from "@/lib/services/ops/books-watch";
import { startReconciler } from "@/lib/services/remote-orders/reconciler";
import { startRequestLog } from "@/lib/services/requests/note-request";
import { ensureDemoAccount } from "@/lib/services/users/demo-account";
import { startTicker } from "@/lib/venue/paper/ticker";
import { closeUpstreams } from "@/lib/venue/polymarket/http";

const BOOTED = Symbol.for("ante.booted");
const holder = globalThis as typeof globalThis & { [BOOTED]?: Promise<() => Promise<void>> };

/**
 * Brings the service up, once per process whatever asks first: checks the environment, opens and
 * migrates the database, makes the demo account, and starts what runs beside the requests.
 *
 * @returns a function that takes it down again.
 */
export function boot(): Promise<() => Promise<void>> {
  holder[BOOTED] ??= start();
  return holder[BOOTED];
}

async function start(): Promise<() => Promise<void>> {
  // next-auth reads its public origin from the environment alone.
  process.env["NEXTAUTH_URL"] = env().NEXTAUTH_URL;
  if (process.env.NODE_ENV !== "development") logConsole();
  checkHosting(env(), { isVercel: process.env["VERCEL"] === "1" });
  await getDatabase();
  await checkCustody();
  await ensureDemoAccount();
  // The first look begins to measure.
  readEventLoopDelay();
  const stops = [startRequestLog(), startBooksWatch()];
  if (env().VENUES.includes("paper")) stops.push(startTicker(), startHeartbeatSweep());
  if (env().VENUES.includes("polymarket")) stops.push(startReconciler());
  return async () => {
    for (const stop of stops.toReversed()) await stop();
    await closeUpstreams();
    await closeDatabase();
  };
}
