import { monotonicFactory } from "ulid";

/** Asking for randomness costs the same for one byte as for many, and an id takes sixteen. */
const random = new Uint8Array(1024);
let taken = random.length;

/** Between 0 and 1, as even as 32 letters need it. */
function randomFraction(): number {
  if (taken === random.length) {
    crypto.getRandomValues(random);
    taken = 0;
  }
  taken += 1;
  return (random[taken - 1] ?? 0) / 256;
}

const nextUlid = monotonicFactory(randomFraction);

export type IdPrefix =
  "usr" | "ord" | "fil" | "trd" | "req" | "auto" | "dep" | "rdm" | "ses" | "aud";

/** A new id such as `ord_01JD…`: sortable by time, unique without coordination. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${nextUlid()}`;
}
