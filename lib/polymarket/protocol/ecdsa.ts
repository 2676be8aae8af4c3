import "server-only";
import { dataLength, dataSlice, recoverAddress } from "ethers";

const WORD_BYTES = 32;
export const SIGNATURE_BYTES = 65;

/**
 * Recovers the address that signed a digest. Accepts only the canonical form of a signature: 65
 * bytes, low s, v 27 or 28. Throws or returns null for any other input.
 */
export function recoverSigner(digest: string, signature: string): string | null {
  if (dataLength(signature) !== SIGNATURE_BYTES) return null;
  const v = Number(dataSlice(signature, 2 * WORD_BYTES));
  if (v !== 27 && v !== 28) return null;
  return recoverAddress(digest, signature);
}
