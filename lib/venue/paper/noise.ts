import "server-only";

/**
 * Deterministic randomness: every number is a function of a text key and integers, so any process
 * computes the same market without storing it.
 */

/** FNV-1a over UTF-16 code units, finished with an avalanche: 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return avalanche(hash);
}

/** Uniform in [0, 1) from a hashed key and any number of integers. */
export function uniform(key: number, ...integers: number[]): number {
  let hash = key;
  for (const integer of integers) {
    hash = avalanche(
      Math.imul(hash ^ (integer | 0), 0x9e3779b1) + Math.floor(integer / 4294967296),
    );
  }
  return hash / 4294967296;
}

function avalanche(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
