import "server-only";
import { dataLength, dataSlice, recoverAddress } from "ethers";

const WORD_BYTES = 32;
export const SIGNATURE_BYTES = 65;

/**
 * The address whose key signed a digest. Only one spelling of a signature counts: 65 bytes, low s,
 * v 27 or 28. Throws, or returns null, for everything else.
 */
export function recoverSigner(digest: string, signature: string): string | null {
  if (dataLength(signature) !== SIGNATURE_BYTES) return null;
  const v = Number(dataSlice(signature, 2 * WORD_BYTES));
  if (v !== 27 && v !== 28) return null;
  return recoverAddress(digest, signature);
}
