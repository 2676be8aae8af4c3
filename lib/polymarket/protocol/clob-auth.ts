import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { getAddress, TypedDataEncoder, type TypedDataField } from "ethers";
import type { ChainId } from "@/lib/polymarket/protocol/contracts";
import { recoverSigner } from "@/lib/polymarket/protocol/ecdsa";

/** The claim that an owner signs to create or derive API credentials (L1, polymarket.md 1.2). */
export interface ClobAuthClaim {
  address: string;
  /** Unix seconds as decimal text, the same as in the header. */
  timestamp: string;
  nonce: string;
}

const MESSAGE = "This message attests that I control the given wallet";
export const CLOB_AUTH_TYPES: Record<"ClobAuth", TypedDataField[]> = {
  ClobAuth: [
    { name: "address", type: "address" },
    { name: "timestamp", type: "string" },
    { name: "nonce", type: "uint256" },
    { name: "message", type: "string" },
  ],
};

export function clobAuthDomain(chainId: ChainId) {
  return { name: "ClobAuthDomain", version: "1", chainId } as const;
}

export function clobAuthValue(claim: ClobAuthClaim) {
  return { ...claim, message: MESSAGE };
}

/** Whether the claimed address signed this claim for this chain. */
export function isClobAuthGenuine(
  claim: ClobAuthClaim,
  chainId: ChainId,
  signature: string,
): boolean {
  try {
    const signer = recoverSigner(computeClobAuthDigest(claim, chainId), signature);
    return signer === getAddress(claim.address);
  } catch {
    return false;
  }
}

/** Computes the EIP-712 digest that is signed. */
export function computeClobAuthDigest(claim: ClobAuthClaim, chainId: ChainId): string {
  return TypedDataEncoder.hash(clobAuthDomain(chainId), CLOB_AUTH_TYPES, clobAuthValue(claim));
}

/** The parts of a request that its HMAC covers. */
export interface SignedRequest {
  /** Unix seconds as decimal text. */
  timestamp: string;
  method: string;
  /** Without host and query string. */
  path: string;
  /** The exact bytes sent, as text; empty without a body. */
  body: string;
}

/** Computes the L2 signature of a request: URL-safe base64 with padding. */
export function computeHmac(
  secret: string,
  { timestamp, method, path, body }: SignedRequest,
): string {
  return createHmac("sha256", Buffer.from(secret, "base64url"))
    .update(`${timestamp}${method}${path}${body}`)
    .digest("base64")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** Compares two signatures or passphrases in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
