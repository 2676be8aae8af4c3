import "server-only";
import { crc32 } from "node:zlib";
import type { Mode } from "@/lib/venue/port";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = new RegExp(
  `^ante_(paper|live)_([0-9A-Za-z]{${ID_LENGTH}})[0-9A-Za-z]{${SECRET_LENGTH}}[0-9A-Za-z]{${CHECKSUM_LENGTH}}$`,
);

export interface ParsedKey {
  mode: Mode;
  /** The public part, which identifies the key in lists and logs. */
  id: string;
}

/**
 * Builds a key `ante_<mode>_<id><secret><checksum>` from random bytes. The checksum detects typos and
 * false positives of secret scanners without a database query.
 */
export function composeKey(mode: Mode, random: Uint8Array): string {
  const body = `ante_${mode}_${toBase62(random, ID_LENGTH + SECRET_LENGTH)}`;
  return body + checksum(body);
}

/** The number of random bytes that `composeKey` needs. */
export const KEY_RANDOM_BYTES = (ID_LENGTH + SECRET_LENGTH) * 2;

/** Parses a key's public part. Returns null if the format or the checksum is wrong. */
export function parseKey(key: string): ParsedKey | null {
  const match = KEY.exec(key);
  if (!match) return null;
  const [, mode, id] = match;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  if (key.slice(-CHECKSUM_LENGTH) !== checksum(body) || id === undefined) return null;
  return { mode: mode === "live" ? "live" : "paper", id };
}

/** Uses two bytes per character, which keeps the modulo bias below 0.1 %. */
function toBase62(random: Uint8Array, length: number): string {
  let text = "";
  for (let index = 0; index < length; index += 1) {
    const value = (random[index * 2] ?? 0) * 256 + (random[index * 2 + 1] ?? 0);
    text += ALPHABET[value % ALPHABET.length] ?? "";
  }
  return text;
}

function checksum(body: string): string {
  let value = crc32(body);
  let text = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    text = (ALPHABET[value % ALPHABET.length] ?? "") + text;
    value = Math.floor(value / ALPHABET.length);
  }
  return text;
}
