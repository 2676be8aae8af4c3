import "server-only";
import packageFile from "@/package.json";
import { now } from "@/lib/clock";
import { getDatabase } from "@/lib/db/client";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { checkHealth } from "@/lib/services/health/check-health";

/** What a signed-in person may know of the service's own state. */
export interface ServiceStatus {
  version: string;
  time: Date;
  /** The database answered in time. */
  isHealthy: boolean;
  storage: "embedded" | "postgres";
  /** Where orders trade. */
  venues: readonly string[];
  /** Where the markets and quotes of paper trading come from. */
  marketData: "simulated" | "polymarket";
  /** The instant at which the simulated markets' clock stands still; null when it runs. */
  frozenAt: string | null;
}

export async function getStatus(): Promise<ServiceStatus> {
  const { VENUES, MARKET_DATA, PAPER_CLOCK } = env();
  const [isHealthy, { kind }] = await Promise.all([isAnswering(), getDatabase()]);
  return {
    version: packageFile.version,
    time: new Date(now()),
    isHealthy,
    storage: kind,
    venues: VENUES,
    marketData: MARKET_DATA,
    frozenAt: PAPER_CLOCK ?? null,
  };
}

async function isAnswering(): Promise<boolean> {
  try {
    await checkHealth();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
