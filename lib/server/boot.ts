import "server-only";
import { closeDatabase, getDatabase } from "@/lib/db/client";
import { env } from "@/lib/env";
import { startHeartbeatSweep } from "@/lib/sandbox/heartbeat";
import { startRequestLog } from "@/lib/services/requests/note-request";
import { ensureDemoAccount } from "@/lib/services/users/demo-account";
import { startTicker } from "@/lib/venue/paper/ticker";

const BOOTED = Symbol.for("ante.booted");
const holder = globalThis as typeof globalThis & { [BOOTED]?: Promise<() => Promise<void>> };

/**
 * Brings the service up, once per process whatever asks first: checks the environment, opens and
 * migrates the database, makes the demo account, starts the ticker and the log of requests.
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
  await getDatabase();
  await ensureDemoAccount();
  const stopTicker = startTicker();
  const stopRequestLog = startRequestLog();
  const stopHeartbeatSweep = startHeartbeatSweep();
  return async () => {
    await stopTicker();
    await stopHeartbeatSweep();
    await stopRequestLog();
    await closeDatabase();
  };
}
