// Recorded data of Polymarket and known answers, read where they are: beside the project.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../shared/data/polymarket/", import.meta.url));

/** A file of recorded data, such as "vectors/orders.json", taken at the type it is known to have. */
export function readRecorded<T>(name: string): T {
  return JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8")) as T;
}
