import "server-only";
import { TypedDataEncoder, type TypedDataField } from "ethers";
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

export const ORDER_TYPES: Record<"Order", TypedDataField[]> = {
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

/** The struct as EIP-712 hashes it: sides are numbers there. */
export function toTypedValue(order: OrderStruct): Record<string, string | number> {
  return { ...order, side: order.side === "BUY" ? 0 : 1 };
}

/** The order's id at the venue: its EIP-712 digest, known before anything is sent. */
export function orderHash(order: OrderStruct, domain: ExchangeDomain): string {
  return TypedDataEncoder.hash(domain, ORDER_TYPES, toTypedValue(order));
}

/** The hash of the struct alone, without the domain. */
export function orderStructHash(order: OrderStruct): string {
  return TypedDataEncoder.hashStruct("Order", ORDER_TYPES, toTypedValue(order));
}
