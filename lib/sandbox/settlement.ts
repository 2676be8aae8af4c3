import "server-only";
import { keccak256, toUtf8Bytes } from "ethers";
import { now } from "@/lib/clock";
import type { SimulatedSettlement } from "@/lib/domain/simulated-settlement";

/** One step of a trade's settlement (polymarket.md 5.8). */
export interface SettlementStage {
  status: "MATCHED" | "RETRYING" | "MINED" | "CONFIRMED" | "FAILED";
  afterMs: number;
  /** The transaction that the venue reports: none yet, the first attempt, or the one that settles. */
  transaction: "none" | "first" | "settling";
}

const MATCHED: SettlementStage = { status: "MATCHED", afterMs: 0, transaction: "none" };
const RETRYING: SettlementStage = { status: "RETRYING", afterMs: 2_000, transaction: "first" };

const settleFrom = (afterMs: number): SettlementStage[] => [
  { status: "MINED", afterMs, transaction: "settling" },
  { status: "CONFIRMED", afterMs: afterMs + 2_000, transaction: "settling" },
];

const STAGES: Record<SimulatedSettlement | "normal", readonly SettlementStage[]> = {
  normal: [MATCHED, ...settleFrom(2_000)],
  "late-hash": [MATCHED, ...settleFrom(12_000)],
  // The hash of the first attempt is replaced.
  "retried-settlement": [MATCHED, RETRYING, ...settleFrom(6_000)],
  "failed-settlement": [
    MATCHED,
    RETRYING,
    { status: "FAILED", afterMs: 4_000, transaction: "first" },
  ],
};

/** Lists the stages that a trade goes through. */
export function listStages(settlement: SimulatedSettlement | null): readonly SettlementStage[] {
  return STAGES[settlement ?? "normal"];
}

/** Returns the stage that a trade has reached. */
export function readStage(
  settlement: SimulatedSettlement | null,
  matchedAt: number,
): SettlementStage {
  const age = now() - matchedAt;
  return listStages(settlement).findLast(({ afterMs }) => age >= afterMs) ?? MATCHED;
}

/** Returns the hash of a trade's transaction. Paper has no chain, so it is a hash of the trade's id. */
export const computeTransactionHash = (tradeId: string): string => keccak256(toUtf8Bytes(tradeId));

/** Returns the transaction hash that the venue reports at a stage; null while there is none. */
export function findStageHash(tradeId: string, { transaction }: SettlementStage): string | null {
  if (transaction === "none") return null;
  return computeTransactionHash(transaction === "first" ? `${tradeId}/first` : tradeId);
}
