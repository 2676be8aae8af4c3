// A second implementation of what the protocol's modules encode, made only from the references: words are
// packed by hand, and typed data is hashed by ethers with types of its own. Nothing of `lib` is used.
import { concat, dataLength, getAddress, id, keccak256, toBeHex, zeroPadValue } from "ethers";
import type { Random } from "@/tests/support/random";

const WORD = 32;

/** A number, an address or a short byte string as one word. */
export const word = (value: bigint | number) => toBeHex(BigInt(value), WORD);
export const addressWord = (address: string) => zeroPadValue(address.toLowerCase(), WORD);

/** Bytes, filled up to whole words, after their length. */
function bytesTail(bytes: string): string {
  const length = dataLength(bytes);
  const filling = (WORD - (length % WORD)) % WORD;
  return concat([word(length), bytes, `0x${"00".repeat(filling)}`]);
}

/** A call's data: four bytes of the signature's hash, then its words. */
export const encodeCall = (signature: string, ...parts: string[]) =>
  concat([id(signature).slice(0, 10), ...parts]);

export interface RandomCall {
  target: string;
  value: bigint;
  data: string;
}

/** `multiSend(bytes)` with one packed item per call. */
export function encodeMultiSend(calls: readonly RandomCall[]): string {
  const items = calls.map(({ target, value, data }) =>
    concat(["0x00", target, word(value), word(dataLength(data)), data]),
  );
  return encodeCall("multiSend(bytes)", word(WORD), bytesTail(concat(items)));
}

/** `proxy((uint8,address,uint256,bytes)[])` of the factory, every item an ordinary call. */
export function encodeProxy(calls: readonly RandomCall[]): string {
  const items = calls.map(({ target, value, data }) =>
    concat([word(1), addressWord(target), word(value), word(4 * WORD), bytesTail(data)]),
  );
  const offsets: string[] = [];
  let at = calls.length * WORD;
  for (const item of items) {
    offsets.push(word(at));
    at += dataLength(item);
  }
  return encodeCall(
    "proxy((uint8,address,uint256,bytes)[])",
    word(WORD),
    word(calls.length),
    ...offsets,
    ...items,
  );
}

/** The hash that the owner of a proxy wallet signs (polymarket-wallets.md 3.3). */
export function hashProxy(
  {
    from,
    data,
    gasLimit,
    nonce,
    relay,
  }: Record<"from" | "data" | "relay", string> & Record<"gasLimit" | "nonce", bigint>,
  { factory, relayHub }: { factory: string; relayHub: string },
): string {
  const zero = word(0);
  const head = [`0x${Buffer.from("rlx:").toString("hex")}`, from, factory, data, zero, zero];
  return keccak256(concat([...head, word(gasLimit), word(nonce), relayHub, relay]));
}

/** The envelope of a session key (polymarket-wallets.md 6.4), with its offsets written out. */
export const wrapInSession = (session: string, signature: string) =>
  concat([
    addressWord(session),
    word(0),
    word(3 * WORD),
    bytesTail(signature),
    `0x${"6492".repeat(16)}`,
  ]);

/** Packs a position id from its fields (polymarket-protocol-v2.md 3.1). */
export function packPosition(fields: {
  module: number;
  base: string;
  arity: number;
  index: number;
  outcome: number;
}): string {
  const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, "0");
  const { module, base, arity, index, outcome } = fields;
  const parts = [hex(module, 1), base, hex(arity, 2), hex(0, 8), hex(0, 2), hex(index, 2)];
  return `0x${parts.join("")}${hex(outcome, 1)}`;
}

/** Draws values for the vectors. */
export class Drawing {
  constructor(readonly random: Random) {}

  bytes(length: number): string {
    let text = "0x";
    for (let index = 0; index < length; index += 1) {
      text += this.random.integer(0, 255).toString(16).padStart(2, "0");
    }
    return text;
  }

  /** A number of up to so many bits, of any size. */
  number(bits: number): bigint {
    const width = this.random.integer(1, bits);
    return BigInt(this.bytes(32)) >> BigInt(256 - width);
  }

  address = () => getAddress(this.bytes(20));

  call = (): RandomCall => ({
    target: this.address(),
    value: 0n,
    data: this.bytes(this.random.integer(4, 150)),
  });

  list = <T>(most: number, draw: () => T): T[] =>
    Array.from({ length: this.random.integer(1, most) }, draw);
}
