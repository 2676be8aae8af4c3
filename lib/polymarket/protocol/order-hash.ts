import "server-only";
import { concat, keccak256, TypedDataEncoder, type TypedDataField } from "ethers";
import type { ExchangeDomain } from "@/lib/polymarket/protocol/contracts";

/** The kind of the maker's wallet, which decides how an order is signed (polymarket.md 3.4). */
export const SIGNATURE_TYPE = { eoa: 0, proxy: 1, safe: 2, depositWallet: 3 } as const;
export type SignatureType = (typeof SIGNATURE_TYPE)[keyof typeof SIGNATURE_TYPE];

/** The signed struct. Amounts are base units of 1e-6; `timestamp` is in milliseconds. */
export interface OrderStruct {
  /** At most 2^53 - 1, because it is sent as a JSON number. */
  salt: string;
  /** The funder: the wallet that pays. */
  maker: string;
  signer: string;
  tokenId: string;
  makerAmount: string;
  takerAmount: string;
  side: "BUY" | "SELL";
  signatureType: SignatureType;
  timestamp: string;
  metadata: string;
  builder: string;
}

const ORDER_TYPES: Record<"Order", TypedDataField[]> = {
  Order: [
    { name: "salt", type: "uint256" },
    { name: "maker", type: "address" },
    { name: "signer", type: "address" },
    { name: "tokenId", type: "uint256" },
    { name: "makerAmount", type: "uint256" },
    { name: "takerAmount", type: "uint256" },
    { name: "side", type: "uint8" },
    { name: "signatureType", type: "uint8" },
    { name: "timestamp", type: "uint256" },
    { name: "metadata", type: "bytes32" },
    { name: "builder", type: "bytes32" },
  ],
};

/** The EIP-712 type of an order as text, which is part of a deposit wallet's signature. */
export const ORDER_TYPE_TEXT = `Order(${ORDER_TYPES.Order.map(({ type, name }) => `${type} ${name}`).join(",")})`;

// Computed once, because encoding the types and the domain would be a large part of each signature.
const encoder = TypedDataEncoder.from(ORDER_TYPES);
const separators = new Map<string, string>();

/** Computes the order's id at the venue: its EIP-712 digest, which is known before it is sent. */
export function computeOrderHash(order: OrderStruct, domain: ExchangeDomain): string {
  return computeDigest(computeStructHash(order), domain);
}

/**
 * Hashes of frozen orders. Custody hashes an order for its signature, and again to check it. This is for
 * speed alone: custody's part of an order fell from 1.9 to 2.4 ms of CPU time to 1.1 to 1.4 ms (rounds of
 * 400 orders on a busy machine), together with a schema of orders that is built once.
 */
const hashes = new WeakMap<OrderStruct, string>();

/** Computes the hash of the struct without the domain. The struct encodes sides as numbers. */
export function computeStructHash(order: OrderStruct): string {
  const known = hashes.get(order);
  if (known !== undefined) return known;
  const hash = encoder.hash({ ...order, side: order.side === "BUY" ? 0 : 1 });
  if (Object.isFrozen(order)) hashes.set(order, hash);
  return hash;
}

/** Computes the digest to sign: the hash of a struct for one exchange contract. */
export function computeDigest(structHash: string, domain: ExchangeDomain): string {
  return keccak256(concat(["0x1901", computeDomainSeparator(domain), structHash]));
}

export function computeDomainSeparator(domain: ExchangeDomain): string {
  const { name, version, chainId, verifyingContract } = domain;
  const key = `${name}/${version}/${chainId}/${verifyingContract}`;
  const known = separators.get(key);
  if (known !== undefined) return known;
  const separator = TypedDataEncoder.hashDomain(domain);
  separators.set(key, separator);
  return separator;
}
