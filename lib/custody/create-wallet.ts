import "server-only";
import { randomBytes } from "node:crypto";
import { computeAddress } from "ethers";
import { deriveDepositWallet } from "@/lib/polymarket/protocol/wallets";
import { paperWalletContext } from "@/lib/custody/contexts";
import { seal } from "@/lib/custody/seal";

export interface NewWallet {
  address: string;
  funderAddress: string;
  sealedKey: string;
}

/** Creates an EVM key pair for a user. The private key leaves this function only in encrypted form. */
export async function createWallet(userId: string): Promise<NewWallet> {
  const privateKey = randomBytes(32);
  try {
    const address = computeAddress(`0x${privateKey.toString("hex")}`);
    const sealedKey = await seal(privateKey, paperWalletContext(userId, address));
    return { address, funderAddress: deriveDepositWallet(address), sealedKey };
  } finally {
    privateKey.fill(0);
  }
}
