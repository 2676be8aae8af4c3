import "server-only";
import packageFile from "@/package.json";
import { now } from "@/lib/clock";
import { getDatabase } from "@/lib/db/client";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { getContractState } from "@/lib/orders/live/contract-watch";
import { checkHealth } from "@/lib/ops/check-health";

/** The service's state as signed-in users may see it. */
export interface ServiceStatus {
  version: string;
  time: Date;
  /** Whether the database responded in time. */
  isHealthy: boolean;
  storage: "embedded" | "postgres";
  /** The venues where orders trade. */
  venues: readonly string[];
  /** The source of the paper markets. */
  marketData: "simulated" | "polymarket";
  /** When this process was started. */
  startedAt: Date;
  /** The frozen time of the simulated markets; null if their clock runs. */
  frozenAt: string | null;
  /** The result of the watch on Polymarket's API; null if live trading is off. */
  contract: VenueContract | null;
}

interface VenueContract {
  /** Null before the first response. */
  verdict: "known" | "unknown" | null;
  differences: readonly string[];
  checkedAt: Date | null;
}

export async function getStatus(): Promise<ServiceStatus> {
  const { VENUES, MARKET_DATA, PAPER_CLOCK } = env();
  const [isHealthy, { kind }] = await Promise.all([isDatabaseHealthy(), getDatabase()]);
  return {
    version: packageFile.version,
    time: new Date(now()),
    isHealthy,
    storage: kind,
    venues: VENUES,
    marketData: MARKET_DATA,
    startedAt: new Date(Date.now() - process.uptime() * 1_000),
    frozenAt: PAPER_CLOCK ?? null,
    contract: readContract(),
  };
}

function readContract(): VenueContract | null {
  const state = getContractState();
  if (!state) return null;
  const { verdict, differences, checkedAt } = state;
  return { verdict, differences, checkedAt: checkedAt === null ? null : new Date(checkedAt) };
}

async function isDatabaseHealthy(): Promise<boolean> {
  try {
    await checkHealth();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
