import "server-only";
import { randomBytes } from "node:crypto";
import { computeAddress } from "ethers";
import { depositWalletOf } from "@/lib/polymarket/wallets";
import { seal } from "@/lib/custody/seal";
import { walletContext } from "@/lib/custody/wallet-context";

export interface NewWallet {
  address: string;
  funderAddress: string;
  sealedKey: string;
}

/** Makes an EVM key pair for a user. The private key leaves this function encrypted only. */
export function createWallet(userId: string): NewWallet {
  const privateKey = randomBytes(32);
  const address = computeAddress(`0x${privateKey.toString("hex")}`);
  const sealedKey = seal(privateKey, walletContext(userId, address));
  privateKey.fill(0);
  return { address, funderAddress: depositWalletOf(address), sealedKey };
}
