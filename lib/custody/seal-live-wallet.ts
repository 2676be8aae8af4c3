import "server-only";
import { computeAddress, getAddress, hexlify, isAddress } from "ethers";
import { liveWalletContext } from "@/lib/custody/contexts";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";
import { seal } from "@/lib/custody/seal";
import { AppError } from "@/lib/errors";
import { SIGNATURE_TYPE, type SignatureType } from "@/lib/polymarket/protocol/order-hash";
import {
  deriveDepositWallets,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";

/** A live wallet as the user enters it. */
export interface WalletImport {
  /** 64 hexadecimal digits, with or without 0x. */
  privateKey: string;
  funder: string;
  /** 0 to 3. */
  signatureType: string;
}

export interface SealedWallet extends LiveWalletIdentity {
  sealedKey: string;
}

const KIND: Record<SignatureType, string> = {
  0: "wallet",
  1: "proxy wallet",
  2: "Safe",
  3: "deposit wallet",
};

/** Checks that a key and a funder belong together, and seals the key for the user. Throws 400. */
export async function sealLiveWallet(userId: string, input: WalletImport): Promise<SealedWallet> {
  const privateKey = parsePrivateKey(input.privateKey);
  try {
    const address = deriveAddress(privateKey);
    const signatureType = parseSignatureType(input.signatureType);
    const funderAddress = parseFunder(input.funder, address, signatureType);
    const identity = { userId, address, funderAddress, signatureType };
    return { ...identity, sealedKey: await seal(privateKey, liveWalletContext(identity, "key")) };
  } finally {
    privateKey.fill(0);
  }
}

const invalid = (field: string, message: string) =>
  new AppError("VALIDATION_ERROR", message, { field });

function parsePrivateKey(text: string): Buffer {
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) {
    throw invalid("secretKey", "Enter a private key: 64 hexadecimal digits, with or without 0x.");
  }
  return Buffer.from(digits, "hex");
}

function deriveAddress(privateKey: Buffer): string {
  try {
    return computeAddress(hexlify(privateKey));
  } catch {
    // The library's message contains the key.
    throw invalid("secretKey", "This number is not a private key: it is zero or too large.");
  }
}

function parseSignatureType(text: string): SignatureType {
  const found = Object.values(SIGNATURE_TYPE).find((type) => String(type) === text.trim());
  if (found === undefined) {
    throw invalid("signatureType", "Choose the kind of wallet: 0, 1, 2 or 3.");
  }
  return found;
}

function parseFunder(text: string, address: string, type: SignatureType): string {
  const given = text.trim();
  if (!isAddress(given)) {
    throw invalid("funder", "Enter the wallet's address: 0x and 40 hexadecimal digits.");
  }
  const funder = getAddress(given);
  const expected = listWallets(address, type);
  if (!expected.includes(funder)) {
    throw invalid("funder", `The ${KIND[type]} of this private key is ${expected.join(" or ")}.`);
  }
  return funder;
}

/** Lists the wallets of a type that an owner can have. Their addresses are derived from its own. */
function listWallets(owner: string, type: SignatureType): string[] {
  switch (type) {
    case SIGNATURE_TYPE.eoa:
      return [owner];
    case SIGNATURE_TYPE.proxy:
      return [deriveProxyWallet(owner)];
    case SIGNATURE_TYPE.safe:
      return [deriveSafeWallet(owner)];
    case SIGNATURE_TYPE.depositWallet:
      return deriveDepositWallets(owner);
  }
}
