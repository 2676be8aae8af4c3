/**
 * How the trades of an order settle if a client asked for a fault: with a late transaction hash, on the second
 * attempt, or never.
 */
export const SIMULATED_SETTLEMENTS = [
  "late-hash",
  "retried-settlement",
  "failed-settlement",
] as const;
export type SimulatedSettlement = (typeof SIMULATED_SETTLEMENTS)[number];

/** Returns the simulated settlement that a fault asks for; null for any other fault. */
export function toSimulatedSettlement(fault: string | null): SimulatedSettlement | null {
  return SIMULATED_SETTLEMENTS.find((settlement) => settlement === fault) ?? null;
}
