import "server-only";
import type { Protocol } from "@/lib/domain/protocol";
import { type ChainId, CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { PositionContract } from "@/lib/polymarket/protocol/position-calls";

/** What decides which contract holds the positions of a market. */
export interface PositionMarket {
  protocol: Protocol;
  isNegRisk: boolean;
}

/** A contract that trading approves, by a name that stays the same. */
export interface NamedContract {
  name: string;
  address: string;
}

/** Returns the contract that splits, merges and redeems the positions of a market. */
export function getPositionContract({ protocol, isNegRisk }: PositionMarket): PositionContract {
  if (protocol === "v2") return CONTRACT.router;
  return isNegRisk ? CONTRACT.negRiskCtfAdapter : CONTRACT.ctfAdapter;
}

/** Lists the exchanges of Protocol V1. */
export const listExchangesV1 = (chainId: ChainId): NamedContract[] => [
  { name: "exchange", address: getExchangeDomain(chainId, "ctf").verifyingContract },
  { name: "neg_risk_exchange", address: getExchangeDomain(chainId, "negRisk").verifyingContract },
];

/** Lists the exchanges of Protocol V2. */
export const listExchangesV2 = (chainId: ChainId): NamedContract[] => [
  { name: "exchange_v3", address: getExchangeDomain(chainId, "v3").verifyingContract },
];

/** The contracts that split, merge and redeem positions of Protocol V1. */
export const ADAPTERS: readonly NamedContract[] = [
  { name: "ctf_adapter", address: CONTRACT.ctfAdapter },
  { name: "neg_risk_adapter", address: CONTRACT.negRiskCtfAdapter },
];

/** The contract that does so for Protocol V2. */
export const ROUTER: NamedContract = { name: "router", address: CONTRACT.router };
