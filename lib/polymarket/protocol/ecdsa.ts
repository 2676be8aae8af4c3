import "server-only";
import { concat, dataLength, dataSlice, getAddress, getBytes, hexlify, keccak256 } from "ethers";
import { pointFromScalar, recover, signRecoverable } from "tiny-secp256k1";

const WORD_BYTES = 32;
export const SIGNATURE_BYTES = 65;
/** The recovery ids 0 and 1 on the wire. */
const FIRST_V = 27;
/** Half of the curve's order. A larger s has a twin below it, which is the canonical one. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** A key that signs digests: a `Wallet` of ethers, or the faster one of `openKey`. */
export interface OwnerKey {
  readonly address: string;
  readonly signingKey: { sign: (digest: string) => { serialized: string } };
}

/**
 * Opens a private key for signing, with the bytes that ethers would sign (RFC 6979). libsecp256k1 as
 * WebAssembly takes 0.12 ms for a signature and 0.15 ms to recover its signer; ethers takes 0.5 and
 * 2 ms (docs/adr/0058).
 */
export function openKey(privateKey: Uint8Array): OwnerKey {
  const point = pointFromScalar(privateKey, false);
  if (point === null) throw new Error("a private key has no public key");
  const sign = (digest: string) => {
    const { signature, recoveryId } = signRecoverable(getBytes(digest), privateKey);
    return { serialized: concat([signature, Uint8Array.of(FIRST_V + recoveryId)]) };
  };
  return { address: computeAddress(point), signingKey: { sign } };
}

/**
 * Recovers the address that signed a digest. Accepts only the canonical form of a signature: 65
 * bytes, low s, v 27 or 28. Throws or returns null for any other input.
 */
export function recoverSigner(digest: string, signature: string): string | null {
  if (dataLength(signature) !== SIGNATURE_BYTES) return null;
  const v = Number(dataSlice(signature, 2 * WORD_BYTES));
  if (v !== FIRST_V && v !== FIRST_V + 1) return null;
  if (BigInt(dataSlice(signature, WORD_BYTES, 2 * WORD_BYTES)) > MAX_S) return null;
  const bytes = getBytes(dataSlice(signature, 0, 2 * WORD_BYTES));
  const point = recover(getBytes(digest), bytes, v === FIRST_V ? 0 : 1, false);
  return point && computeAddress(point);
}

/** Computes the address of a public key: 65 bytes, of which the first one names the form. */
function computeAddress(point: Uint8Array): string {
  return getAddress(dataSlice(keccak256(hexlify(point.subarray(1))), 12));
}
