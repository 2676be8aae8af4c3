import "server-only";
import {
  concat,
  dataLength,
  dataSlice,
  getAddress,
  toBeHex,
  toUtf8Bytes,
  TypedDataEncoder,
  type TypedDataField,
  type Wallet,
  ZeroHash,
} from "ethers";
import { depositWalletsOf, proxyWalletOf, safeWalletOf } from "@/lib/polymarket/wallets";
import type { ExchangeDomain } from "@/lib/polymarket/contracts";
import { recoverSigner, SIGNATURE_BYTES } from "@/lib/polymarket/ecdsa";
import {
  ORDER_TYPE_TEXT,
  ORDER_TYPES,
  orderHash,
  type OrderStruct,
  orderStructHash,
  SIGNATURE_TYPE,
  toTypedValue,
} from "@/lib/polymarket/order-hash";

/** What a deposit wallet's owner signs in place of the order: the order, and for which wallet. */
const WRAPPED_TYPES: Record<string, TypedDataField[]> = {
  TypedDataSign: [
    { name: "contents", type: "Order" },
    { name: "name", type: "string" },
    { name: "version", type: "string" },
    { name: "chainId", type: "uint256" },
    { name: "verifyingContract", type: "address" },
    { name: "salt", type: "bytes32" },
  ],
  ...ORDER_TYPES,
};

function wrappedValue(order: OrderStruct, domain: ExchangeDomain) {
  return {
    contents: toTypedValue(order),
    name: "DepositWallet",
    version: "1",
    chainId: domain.chainId,
    verifyingContract: order.maker,
    salt: ZeroHash,
  };
}

/** What follows the owner's signature in a deposit wallet's (ERC-7739, polymarket.md 3.4). */
function wrapping(order: OrderStruct, domain: ExchangeDomain): string {
  const text = toUtf8Bytes(ORDER_TYPE_TEXT);
  return concat([
    TypedDataEncoder.hashDomain(domain),
    orderStructHash(order),
    text,
    toBeHex(text.length, 2),
  ]);
}

/** Signs an order with the key of the wallet's owner. */
export async function signOrderStruct(
  owner: Wallet,
  order: OrderStruct,
  domain: ExchangeDomain,
): Promise<string> {
  if (order.signatureType !== SIGNATURE_TYPE.depositWallet) {
    return owner.signTypedData(domain, ORDER_TYPES, toTypedValue(order));
  }
  const inner = await owner.signTypedData(domain, WRAPPED_TYPES, wrappedValue(order, domain));
  return concat([inner, wrapping(order, domain)]);
}

/** Who signed, or null when nobody can have signed exactly this order for exactly this domain. */
export function recoverOwner(
  order: OrderStruct,
  domain: ExchangeDomain,
  signature: string,
): string | null {
  try {
    if (order.signatureType !== SIGNATURE_TYPE.depositWallet) {
      return recoverSigner(orderHash(order, domain), signature);
    }
    const rest = wrapping(order, domain);
    if (dataLength(signature) !== SIGNATURE_BYTES + dataLength(rest)) return null;
    if (dataSlice(signature, SIGNATURE_BYTES).toLowerCase() !== rest.toLowerCase()) return null;
    const digest = TypedDataEncoder.hash(domain, WRAPPED_TYPES, wrappedValue(order, domain));
    return recoverSigner(digest, dataSlice(signature, 0, SIGNATURE_BYTES));
  } catch {
    // Not hex, not a point of the curve, a number out of range: whatever it is, nobody signed it.
    return null;
  }
}

/**
 * Whether `owner`'s signature binds the order's maker: the owner itself, or the wallet of the
 * order's type that the owner's address leads to.
 */
export function isMakersOwner(order: OrderStruct, owner: string): boolean {
  const [maker, signer] = [getAddress(order.maker), getAddress(order.signer)];
  switch (order.signatureType) {
    case SIGNATURE_TYPE.eoa:
      return maker === owner && signer === owner;
    case SIGNATURE_TYPE.proxy:
      return signer === owner && maker === proxyWalletOf(owner);
    case SIGNATURE_TYPE.safe:
      return signer === owner && maker === safeWalletOf(owner);
    case SIGNATURE_TYPE.depositWallet:
      return signer === maker && depositWalletsOf(owner).includes(maker);
  }
}
