import "server-only";
import { now } from "@/lib/clock";
import { SIMULATED_SETTLEMENTS } from "@/lib/domain/simulated-settlement";
import { SandboxError } from "@/lib/sandbox/error";
import { readSwitches, type SwitchState } from "@/lib/sandbox/switches";
import type { SimulatedFault } from "@/lib/venue/port";

/** The header with which a client rehearses a fault for one request. */
const FAULT_HEADER = "x-rehearse";

/** What each value of X-Rehearse changes. */
const FAULTS: Record<string, Partial<SwitchState>> = {
  restarting: { phase: "restarting" },
  "post-only": { phase: "post-only" },
  "cancel-only": { phase: "cancel-only" },
  disabled: { phase: "disabled" },
  geoblock: { isGeoblocked: true },
  "rate-limit": { isRateLimited: true },
  delayed: { isDelayed: true },
  ...Object.fromEntries(SIMULATED_SETTLEMENTS.map((settlement) => [settlement, { settlement }])),
};

/** The venue stays in post-only mode this long after a restart (polymarket.md 9.3). */
const POST_ONLY_S = 120;
const RATE_LIMIT_S = 1;

const GEOBLOCKED =
  "Trading restricted in your region, please refer to available regions - https://docs.polymarket.com/developers/CLOB/geoblock";
const CANCEL_ONLY =
  "Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.";
const DISABLED = "Trading is currently disabled. Check polymarket.com for updates";
const POST_ONLY = "post-only mode: only post-only orders and cancels are allowed";
const POST_ONLY_CODE = "post_only_mode";

/** The conditions under which one request to place or cancel orders is handled. */
export type Conditions = SwitchState;

/** Returns the fault that the exchange simulates for an order. A delayed order settles as usual. */
export function chooseFault({ isDelayed, settlement }: Conditions): SimulatedFault {
  if (isDelayed) return "delayed";
  return settlement === "normal" ? null : settlement;
}

/** Reads the conditions of a request: the operator's switches, then the request's X-Rehearse. */
export async function readConditions(headers: Pick<Headers, "get">): Promise<Conditions> {
  const switches = await readSwitches();
  const fault = findFault(headers);
  return fault ? { ...switches, ...fault, changedAt: null } : switches;
}

/** Refuses an unknown X-Rehearse. Call it after authentication: others learn nothing from it. */
export function refuseUnknownFault(headers: Pick<Headers, "get">): void {
  if (headers.get(FAULT_HEADER) === null || findFault(headers)) return;
  throw new SandboxError(400, `X-Rehearse: must be one of ${Object.keys(FAULTS).join(", ")}`);
}

function findFault(headers: Pick<Headers, "get">): Partial<SwitchState> | undefined {
  const name = headers.get(FAULT_HEADER);
  return name !== null && Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
}

/** Refuses new orders by region. The venue does so before it looks at the API key. */
export function refuseByRegion({ isGeoblocked }: Conditions): void {
  if (isGeoblocked) throw new SandboxError(403, GEOBLOCKED);
}

/**
 * Refuses what the rate limiter and the trading phase refuse, in the venue's words (polymarket.md 2.5,
 * 9.1, 9.3). Post-only mode depends on the order, see `refuseInPostOnlyMode`.
 */
export function refuseByPhase(
  { phase, isRateLimited }: Conditions,
  kind: "place" | "cancel",
): void {
  if (isRateLimited) throw new SandboxError(429, "Too Many Requests", {}, buildLimitHeaders());
  // The venue sends no body.
  if (phase === "restarting") throw new SandboxError(425, "");
  if (phase === "disabled") throw new SandboxError(503, DISABLED);
  if (phase === "cancel-only" && kind === "place") throw new SandboxError(503, CANCEL_ONLY);
}

/** Refuses an order that is not post-only while the venue is in post-only mode. */
export function refuseInPostOnlyMode(
  { phase, changedAt }: Conditions,
  { postOnly }: { postOnly: boolean },
): void {
  if (phase !== "post-only" || postOnly) return;
  const seconds = POST_ONLY_S - Math.floor((now() - (changedAt ?? now())) / 1000);
  const left = Math.max(1, seconds);
  const extra = { code: POST_ONLY_CODE, retry_after_seconds: left };
  throw new SandboxError(503, POST_ONLY, extra, { "retry-after": String(left) });
}

export const isPostOnlyRefusal = ({ extra }: SandboxError) => extra["code"] === POST_ONLY_CODE;

function buildLimitHeaders(): Record<string, string> {
  return {
    "retry-after": String(RATE_LIMIT_S),
    "poly-ratelimit-remaining": "0",
    "poly-ratelimit-reset": String(Math.floor(now() / 1000) + RATE_LIMIT_S),
    "poly-ratelimit-tier": "Standard",
  };
}
