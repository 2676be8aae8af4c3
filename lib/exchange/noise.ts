import "server-only";

// Deterministic random numbers: functions of a text key and integers, so every process computes the
// same markets.

/** Returns a 32-bit hash: FNV-1a over UTF-16 code units, finished with an avalanche. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return mixBits(hash);
}

/** Returns a uniform number in [0, 1) from a hashed key and any number of integers. */
export function uniform(key: number, ...integers: number[]): number {
  let hash = key;
  for (const integer of integers) {
    hash = mixBits(Math.imul(hash ^ (integer | 0), 0x9e3779b1) + Math.floor(integer / 4294967296));
  }
  return hash / 4294967296;
}

function mixBits(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
