import "server-only";
import { TypedDataEncoder, type TypedDataField } from "ethers";
import type { ChainId } from "@/lib/polymarket/protocol/contracts";
import type { WalletCall } from "@/lib/polymarket/protocol/position-calls";

/** The calls of a deposit wallet, which its owner signs as one (polymarket-wallets.md 3.1). */
export interface DepositWalletBatch {
  wallet: string;
  nonce: bigint;
  /** Unix seconds. */
  deadline: bigint;
  calls: readonly WalletCall[];
}

const BATCH_TYPES: Record<"Batch" | "Call", TypedDataField[]> = {
  Batch: [
    { name: "wallet", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "calls", type: "Call[]" },
  ],
  Call: [
    { name: "target", type: "address" },
    { name: "value", type: "uint256" },
    { name: "data", type: "bytes" },
  ],
};

/** Computes the EIP-712 digest that the owner or a session key signs. */
export function computeBatchDigest(batch: DepositWalletBatch, chainId: ChainId): string {
  const domain = {
    name: "DepositWallet",
    version: "1",
    chainId,
    verifyingContract: batch.wallet,
  };
  return TypedDataEncoder.hash(domain, BATCH_TYPES, batch);
}
