import "server-only";
import {
  concat,
  dataLength,
  dataSlice,
  getAddress,
  id,
  keccak256,
  toBeHex,
  toUtf8Bytes,
  zeroPadValue,
  ZeroHash,
} from "ethers";
import {
  deriveDepositWallets,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";
import type { ExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { type OwnerKey, recoverSigner, SIGNATURE_BYTES } from "@/lib/polymarket/protocol/ecdsa";
import {
  computeDigest,
  computeDomainSeparator,
  ORDER_TYPE_TEXT,
  type OrderStruct,
  computeStructHash,
  SIGNATURE_TYPE,
} from "@/lib/polymarket/protocol/order-hash";
import {
  unwrapSessionSignature,
  wrapSessionSignature,
} from "@/lib/polymarket/protocol/session-envelope";

/** The struct that the owner of a deposit wallet signs: the order together with the wallet. */
const WRAPPED_TYPE = `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${ORDER_TYPE_TEXT}`;
const WRAPPED_HEAD = id(WRAPPED_TYPE);
const WALLET_NAME = id("DepositWallet");
const WALLET_VERSION = id("1");
const ORDER_TYPE_BYTES = toUtf8Bytes(ORDER_TYPE_TEXT);
const WRAPPING_TAIL = concat([ORDER_TYPE_BYTES, toBeHex(ORDER_TYPE_BYTES.length, 2)]);
const WORD_BYTES = 32;

/** The digest that a signature covers, and the bytes that follow the signature in the order. */
interface Signable {
  digest: string;
  tail: string;
}

function buildSignable(order: OrderStruct, domain: ExchangeDomain): Signable {
  const contents = computeStructHash(order);
  if (order.signatureType !== SIGNATURE_TYPE.depositWallet) {
    return { digest: computeDigest(contents, domain), tail: "0x" };
  }
  const wrapped = keccak256(
    concat([
      WRAPPED_HEAD,
      contents,
      WALLET_NAME,
      WALLET_VERSION,
      toBeHex(domain.chainId, WORD_BYTES),
      zeroPadValue(order.maker, WORD_BYTES),
      ZeroHash,
    ]),
  );
  // ERC-7739 (polymarket.md 3.4).
  const tail = concat([computeDomainSeparator(domain), contents, WRAPPING_TAIL]);
  return { digest: computeDigest(wrapped, domain), tail };
}

/** Signs an order with the key of the wallet's owner. */
export function signOrderStruct(
  owner: OwnerKey,
  order: OrderStruct,
  domain: ExchangeDomain,
): string {
  const { digest, tail } = buildSignable(order, domain);
  return concat([owner.signingKey.sign(digest).serialized, tail]);
}

/** Recovers the address that signed an order for a domain; null if the signature is invalid. */
export function recoverOwner(
  order: OrderStruct,
  domain: ExchangeDomain,
  signature: string,
): string | null {
  try {
    const { digest, tail } = buildSignable(order, domain);
    if (dataLength(signature) !== SIGNATURE_BYTES + dataLength(tail)) return null;
    if (dataSlice(signature, SIGNATURE_BYTES).toLowerCase() !== tail) return null;
    return recoverSigner(digest, dataSlice(signature, 0, SIGNATURE_BYTES));
  } catch {
    // The text is not hex, not a point of the curve, or out of range.
    return null;
  }
}

/** Signs an order of a deposit wallet with one of its session keys (polymarket-wallets.md 6.4). */
export function signOrderInSession(
  session: OwnerKey,
  order: OrderStruct,
  domain: ExchangeDomain,
): string {
  const signature = signOrderStruct(session, order, domain);
  return wrapSessionSignature({ sessionAddress: session.address, signature });
}

/**
 * Recovers the session key that signed an order of a deposit wallet; null if the signature is invalid
 * or not in an envelope. Whether the wallet lists the key is another question.
 */
export function recoverSession(
  order: OrderStruct,
  domain: ExchangeDomain,
  envelope: string,
): string | null {
  if (order.signatureType !== SIGNATURE_TYPE.depositWallet) return null;
  const opened = unwrapSessionSignature(envelope);
  if (opened === null) return null;
  const signer = recoverOwner(order, domain, opened.signature);
  return signer === opened.sessionAddress ? signer : null;
}

/** Whether the order's maker is `owner` itself or the wallet of this type that derives from `owner`. */
export function isOwnerOfMaker(order: OrderStruct, owner: string): boolean {
  const [maker, signer] = [getAddress(order.maker), getAddress(order.signer)];
  switch (order.signatureType) {
    case SIGNATURE_TYPE.eoa:
      return maker === owner && signer === owner;
    case SIGNATURE_TYPE.proxy:
      return signer === owner && maker === deriveProxyWallet(owner);
    case SIGNATURE_TYPE.safe:
      return signer === owner && maker === deriveSafeWallet(owner);
    case SIGNATURE_TYPE.depositWallet:
      return signer === maker && deriveDepositWallets(owner).includes(maker);
  }
}
