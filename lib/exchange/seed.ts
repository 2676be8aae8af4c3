import "server-only";
import { createHash, createHmac, hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { getStoredSeed, type StoredSeed } from "@/lib/db/paper-seed";
import { hashText, uniform } from "@/lib/exchange/noise";

/** Returns a standard normal number for each interval of a path's construction. */
export type PathNoise = (depth: number, index: number) => number;

/** Cache size. The catalogue never has as many paths at one time. */
const MAX_PATHS = 5_000;

/**
 * The seed determines the ids, prices and results of the simulated markets. Its text would reveal
 * every result, so it is a private field, which serializing or logging a market can't print.
 */
export class PaperSeed {
  readonly #text: string;
  readonly #generator: StoredSeed["generator"];
  readonly #noises = new LRUCache<string, PathNoise>({ max: MAX_PATHS });

  constructor(text: string, generator: StoredSeed["generator"] = 2) {
    this.#text = text;
    this.#generator = generator;
  }

  /** Returns a public id. It reveals nothing about a seed that can't be guessed. */
  digest(kind: "condition" | "token", identity: string): string {
    return createHash("sha256")
      .update(`ante-paper/${kind}/${this.#text}/${identity}`)
      .digest("hex");
  }

  /** Returns the random numbers of a path. They can't be computed without the seed. */
  getNoise(path: string): PathNoise {
    const cached = this.#noises.get(path);
    if (cached) return cached;
    const noise =
      this.#generator === 1
        ? createLegacyNoise(`${this.#text}/${path}`)
        : this.#createKeyedNoise(path);
    this.#noises.set(path, noise);
    return noise;
  }

  #createKeyedNoise(path: string): PathNoise {
    const key = createHmac("sha256", this.#text).update(`path/${path}`).digest();
    return createKeyedNoise(key);
  }
}

let current: { stored: StoredSeed; seed: PaperSeed } | undefined;

/** Returns the seed of this installation. The database must be open. */
export function getPaperSeed(): PaperSeed {
  const stored = getStoredSeed();
  if (current?.stored !== stored) {
    current = { stored, seed: new PaperSeed(stored.seed, stored.generator) };
  }
  return current.seed;
}

/**
 * Creates noise from a key of 256 bits. Each number has its own hash, so known numbers reveal no other.
 * The last number of each depth is cached: as time moves on, the coarse intervals stay the same.
 */
function createKeyedNoise(key: Buffer): PathNoise {
  const last: { index: number; value: number }[] = [];
  const input = Buffer.alloc(key.length + 8);
  key.copy(input);
  return (depth, index) => {
    const cached = last[depth];
    if (cached?.index === index) return cached.value;
    input.writeUInt32BE(depth, key.length);
    input.writeUInt32BE(index, key.length + 4);
    const bytes = hash("sha256", input, "buffer");
    const value = toNormal(bytes.readUIntBE(0, 6) / 2 ** 48, bytes.readUIntBE(6, 6) / 2 ** 48);
    last[depth] = { index, value };
    return value;
  };
}

/** Creates the 32-bit noise of generator 1, so that the markets of old installations don't change. */
function createLegacyNoise(key: string): PathNoise {
  const hashed = hashText(key);
  return (depth, index) =>
    toNormal(uniform(hashed, depth, index, 0), uniform(hashed, depth, index, 1));
}

/** Returns a standard normal number from two uniform ones in [0, 1) (Box and Muller). */
function toNormal(radius: number, angle: number): number {
  return Math.sqrt(-2 * Math.log(1 - radius)) * Math.cos(2 * Math.PI * angle);
}
