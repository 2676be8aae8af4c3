import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { pause } from "@/lib/clock";
import { AppError, LostResponse } from "@/lib/errors";
import type { SimulatedFault } from "@/lib/venue/port";

const FAULT_HEADER = "x-rehearse";
const FAULTS = ["lost-answer", "timeout", "unavailable", "slow", "delayed"] as const;
type Fault = (typeof FAULTS)[number];

const SLOW_MS = 3_000;

/**
 * Runs a write with the fault that the header X-Rehearse names, if any. Live keys are rejected: a
 * simulation must not move real money.
 */
export async function simulateFault<T>(
  principal: Principal,
  headers: Pick<Headers, "get">,
  execute: (venueFault: SimulatedFault) => Promise<T>,
  operation: "place" | "cancel" = "place",
): Promise<T> {
  if (principal.mode === "live")
    refuseSimulatedFault(headers, "only paper keys can simulate failures");
  const kind = parseFault(headers);
  if (kind === "unavailable") {
    throw new AppError(
      "UPSTREAM_UNAVAILABLE",
      "Simulated: the exchange is not reachable. The request had no effect.",
    );
  }
  const result = await execute(kind === "delayed" ? "delayed" : null);
  if (kind === "slow") await pause(SLOW_MS);
  if (kind === "lost-answer") throw new LostResponse("simulated: the response was lost");
  if (kind === "timeout" && operation === "cancel") {
    throw new AppError(
      "CANCEL_OUTCOME_UNKNOWN",
      "Simulated: the exchange did not respond in time. Read the order, or cancel it again.",
    );
  }
  if (kind === "timeout") {
    throw new AppError(
      "ORDER_OUTCOME_UNKNOWN",
      "Simulated: the exchange did not respond in time. Repeat the request with the same idempotencyKey.",
    );
  }
  return result;
}

/** Rejects a request with the header X-Rehearse where no fault can be simulated. */
export function refuseSimulatedFault(headers: Pick<Headers, "get">, reason: string): void {
  if (headers.get(FAULT_HEADER) === null) return;
  throw new AppError("VALIDATION_ERROR", `X-Rehearse: ${reason}; the request had no effect`);
}

function parseFault(headers: Pick<Headers, "get">): Fault | null {
  const value = headers.get(FAULT_HEADER);
  if (value === null) return null;
  const kind = FAULTS.find((candidate) => candidate === value);
  if (kind === undefined) {
    throw new AppError("VALIDATION_ERROR", `X-Rehearse: must be one of ${FAULTS.join(", ")}`);
  }
  return kind;
}
