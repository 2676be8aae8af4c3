import "server-only";
import { randomBytes } from "node:crypto";
import { computeAddress } from "ethers";
import { depositWalletOf } from "@/lib/polymarket/wallets";
import { walletContext } from "@/lib/custody/contexts";
import { seal } from "@/lib/custody/seal";

export interface NewWallet {
  address: string;
  funderAddress: string;
  sealedKey: string;
}

/** Makes an EVM key pair for a user. The private key leaves this function encrypted only. */
export async function createWallet(userId: string): Promise<NewWallet> {
  const privateKey = randomBytes(32);
  try {
    const address = computeAddress(`0x${privateKey.toString("hex")}`);
    const sealedKey = await seal(privateKey, walletContext(userId, address));
    return { address, funderAddress: depositWalletOf(address), sealedKey };
  } finally {
    privateKey.fill(0);
  }
}
