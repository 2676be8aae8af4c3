import "server-only";
import { env } from "@/lib/env";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import {
  ADAPTERS,
  listExchangesV1,
  listExchangesV2,
  type NamedContract,
  ROUTER,
} from "@/lib/polymarket/protocol/position-contracts";
import type { WalletApproval } from "@/lib/venue/wallet-relay";

/** An approval that trading needs, whether it is set or not. */
export interface NeededApproval extends Pick<
  WalletApproval,
  "asset" | "spender" | "spenderAddress" | "purpose"
> {
  /** The contract that records the approval. */
  contract: string;
}

/**
 * Lists the approvals that trading needs (polymarket-wallets.md 5). The deposit of perpetuals and the
 * automatic redemption are none of them: Ante trades none, and claims with transactions of its own.
 */
export function listApprovals(): NeededApproval[] {
  const chainId = env().POLYGON_CHAIN_ID;
  const [first, second] = [listExchangesV1(chainId), listExchangesV2(chainId)];
  const [buy, sell] = ["Buy shares.", "Sell shares."];
  const [split, merge] = ["Split USDC into shares.", "Merge and claim shares."];
  return [
    ...toNeeded(USDC, [...first, ...second], buy),
    ...toNeeded(USDC, [...ADAPTERS, ROUTER], split),
    ...toNeeded(SHARES_V1, first, sell),
    ...toNeeded(SHARES_V1, ADAPTERS, merge),
    ...toNeeded(SHARES_V2, second, sell),
    ...toNeeded(SHARES_V2, [ROUTER], merge),
  ];
}

const toNeeded = (
  asset: Pick<NeededApproval, "asset" | "contract">,
  spenders: readonly NamedContract[],
  purpose: string,
): NeededApproval[] =>
  spenders.map(({ name, address }) => ({
    ...asset,
    spender: name,
    spenderAddress: address,
    purpose,
  }));

const USDC = { asset: "usdc", contract: CONTRACT.collateral } as const;
const SHARES_V1 = { asset: "shares_v1", contract: CONTRACT.conditionalTokens } as const;
const SHARES_V2 = { asset: "shares_v2", contract: CONTRACT.positionManager } as const;
