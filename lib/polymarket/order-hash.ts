import "server-only";
import { concat, keccak256, TypedDataEncoder, type TypedDataField } from "ethers";
import type { ExchangeDomain } from "@/lib/polymarket/contracts";

/** How the maker's wallet proves that it agrees (polymarket.md 3.4). */
export const SIGNATURE_TYPE = { eoa: 0, proxy: 1, safe: 2, depositWallet: 3 } as const;
export type SignatureType = (typeof SIGNATURE_TYPE)[keyof typeof SIGNATURE_TYPE];

/** The struct that is signed. Amounts are base units, 1e-6; `timestamp` is in milliseconds. */
export interface OrderStruct {
  /** At most 2^53 - 1: it goes over the wire as a JSON number. */
  salt: string;
  /** Whose money it is: the funder. */
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

/** The EIP-712 type of an order, as text: part of a deposit wallet's signature. */
export const ORDER_TYPE_TEXT = `Order(${ORDER_TYPES.Order.map(({ type, name }) => `${type} ${name}`).join(",")})`;

// What is the same for all orders is worked out once: the rest is most of what a signature costs.
const encoder = TypedDataEncoder.from(ORDER_TYPES);
const separators = new Map<string, string>();

/** The order's id at the venue: its EIP-712 digest, known before anything is sent. */
export function orderHash(order: OrderStruct, domain: ExchangeDomain): string {
  return digestOf(orderStructHash(order), domain);
}

/** The hash of the struct alone, without the domain. Sides are numbers there. */
export function orderStructHash(order: OrderStruct): string {
  return encoder.hash({ ...order, side: order.side === "BUY" ? 0 : 1 });
}

/** What is signed of a struct: its hash, for exactly this exchange. */
export function digestOf(structHash: string, domain: ExchangeDomain): string {
  return keccak256(concat(["0x1901", domainSeparator(domain), structHash]));
}

export function domainSeparator(domain: ExchangeDomain): string {
  const { name, version, chainId, verifyingContract } = domain;
  const key = `${name}/${version}/${chainId}/${verifyingContract}`;
  const known = separators.get(key);
  if (known !== undefined) return known;
  const separator = TypedDataEncoder.hashDomain(domain);
  separators.set(key, separator);
  return separator;
}
