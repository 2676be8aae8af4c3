// Recorded data of Polymarket and known answers, read where they are: beside the project.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../../shared/data/polymarket/", import.meta.url));

/** A file of recorded data, such as "vectors/orders.json", taken at the type it is known to have. */
export function readRecorded<T>(name: string): T {
  return JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8")) as T;
}

/** A token id as Protocol V1 has them: a hash, so that it lies outside the namespace of V2. */
export function readTokenId(name: string): string {
  return BigInt(`0x${createHash("sha256").update(name).digest("hex")}`).toString();
}

/** The two position ids of a binary market of Protocol V2. */
export function readPositionIds(name: string): [string, string] {
  const base = BigInt(`0x${createHash("sha256").update(name).digest("hex")}`) >> 128n;
  const first = (1n << 248n) | (base << 120n);
  return [first.toString(), (first + 1n).toString()];
}
