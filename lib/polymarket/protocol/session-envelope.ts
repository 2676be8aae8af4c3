import "server-only";
import { AbiCoder, dataLength, dataSlice, getAddress, zeroPadValue, ZeroHash } from "ethers";

/** Ends every signature of a session key. It resembles ERC-6492 but is no deployment of it. */
const MAGIC = `0x${"6492".repeat(16)}`;
const WORD_BYTES = 32;
const LAYOUT = ["bytes32", "bytes32", "bytes"];

/** A signature with the session key that made it. */
export interface SessionSignature {
  /** The address of the session key, with its checksum. */
  sessionAddress: string;
  /** The signature as the owner of the deposit wallet would send it. */
  signature: string;
}

/**
 * Wraps a signature of a session key, so that the deposit wallet checks it against its list of session
 * keys instead of its owner (polymarket-wallets.md 6.4). Orders and batches use the same envelope.
 */
export function wrapSessionSignature({ sessionAddress, signature }: SessionSignature): string {
  const session = zeroPadValue(sessionAddress, WORD_BYTES);
  const encoded = AbiCoder.defaultAbiCoder().encode(LAYOUT, [session, ZeroHash, signature]);
  return `${encoded}${MAGIC.slice(2)}`;
}

/**
 * Opens an envelope. Returns null for anything but the canonical bytes: what was read is wrapped again
 * and compared, so that padding, offsets and trailing bytes cannot differ.
 */
export function unwrapSessionSignature(envelope: string): SessionSignature | null {
  try {
    const encodedBytes = dataLength(envelope) - WORD_BYTES;
    if (dataSlice(envelope, encodedBytes) !== MAGIC) return null;
    const encoded = dataSlice(envelope, 0, encodedBytes);
    const [session, , signature] = AbiCoder.defaultAbiCoder().decode(
      LAYOUT,
      encoded,
    ) as unknown as [string, string, string];
    const sessionAddress = getAddress(dataSlice(session, WORD_BYTES - 20));
    const opened = { sessionAddress, signature };
    return wrapSessionSignature(opened) === envelope.toLowerCase() ? opened : null;
  } catch {
    // The text is not hex, too short, or no encoding of these types.
    return null;
  }
}
