import "server-only";
import { createHmac } from "node:crypto";
import { getAddress, TypedDataEncoder, type TypedDataField } from "ethers";
import type { ChainId } from "@/lib/polymarket/contracts";
import { recoverSigner } from "@/lib/polymarket/ecdsa";

/** What an owner signs to make or derive API credentials (L1, polymarket.md 1.2). */
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

/** Whether `signature` is the claimed address's own, on this chain. */
export function isClobAuthGenuine(
  claim: ClobAuthClaim,
  chainId: ChainId,
  signature: string,
): boolean {
  try {
    const signer = recoverSigner(clobAuthDigest(claim, chainId), signature);
    return signer === getAddress(claim.address);
  } catch {
    return false;
  }
}

/** The digest that is signed. */
export function clobAuthDigest(claim: ClobAuthClaim, chainId: ChainId): string {
  return TypedDataEncoder.hash(clobAuthDomain(chainId), CLOB_AUTH_TYPES, clobAuthValue(claim));
}

/** A request as its HMAC covers it. */
export interface SignedRequest {
  /** Unix seconds as decimal text. */
  timestamp: string;
  method: string;
  /** Without host and query string. */
  path: string;
  /** The exact bytes sent, as text; empty without a body. */
  body: string;
}

/** The L2 signature of a request: URL-safe base64 whose padding stays. */
export function hmacOf(secret: string, { timestamp, method, path, body }: SignedRequest): string {
  return createHmac("sha256", Buffer.from(secret, "base64url"))
    .update(`${timestamp}${method}${path}${body}`)
    .digest("base64")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
