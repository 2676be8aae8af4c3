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
  type Wallet,
  zeroPadValue,
  ZeroHash,
} from "ethers";
import { depositWalletsOf, proxyWalletOf, safeWalletOf } from "@/lib/polymarket/wallets";
import type { ExchangeDomain } from "@/lib/polymarket/contracts";
import { recoverSigner, SIGNATURE_BYTES } from "@/lib/polymarket/ecdsa";
import {
  digestOf,
  domainSeparator,
  ORDER_TYPE_TEXT,
  type OrderStruct,
  orderStructHash,
  SIGNATURE_TYPE,
} from "@/lib/polymarket/order-hash";

/** What a deposit wallet's owner signs in place of the order: the order, and for which wallet. */
const WRAPPED_TYPE = `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${ORDER_TYPE_TEXT}`;
const WRAPPED_HEAD = id(WRAPPED_TYPE);
const WALLET_NAME = id("DepositWallet");
const WALLET_VERSION = id("1");
const ORDER_TYPE_BYTES = toUtf8Bytes(ORDER_TYPE_TEXT);
const WRAPPING_TAIL = concat([ORDER_TYPE_BYTES, toBeHex(ORDER_TYPE_BYTES.length, 2)]);
const WORD_BYTES = 32;

/** What a signature of an order covers, and what follows it in the order's own. */
interface Signable {
  digest: string;
  tail: string;
}

function signableOf(order: OrderStruct, domain: ExchangeDomain): Signable {
  const contents = orderStructHash(order);
  if (order.signatureType !== SIGNATURE_TYPE.depositWallet) {
    return { digest: digestOf(contents, domain), tail: "0x" };
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
  const tail = concat([domainSeparator(domain), contents, WRAPPING_TAIL]);
  return { digest: digestOf(wrapped, domain), tail };
}

/** Signs an order with the key of the wallet's owner. */
export function signOrderStruct(owner: Wallet, order: OrderStruct, domain: ExchangeDomain): string {
  const { digest, tail } = signableOf(order, domain);
  return concat([owner.signingKey.sign(digest).serialized, tail]);
}

/** Who signed, or null when nobody can have signed exactly this order for exactly this domain. */
export function recoverOwner(
  order: OrderStruct,
  domain: ExchangeDomain,
  signature: string,
): string | null {
  try {
    const { digest, tail } = signableOf(order, domain);
    if (dataLength(signature) !== SIGNATURE_BYTES + dataLength(tail)) return null;
    if (dataSlice(signature, SIGNATURE_BYTES).toLowerCase() !== tail) return null;
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
