import { monotonicFactory } from "ulid";

/** A pool of random bytes, because one call costs the same for one byte as for many. */
const random = new Uint8Array(1024);
let used = random.length;

/** Returns a number from 0 to 1 in steps of 1/256, which is even enough for 32 letters. */
function randomFraction(): number {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  used += 1;
  return (random[used - 1] ?? 0) / 256;
}

const nextUlid = monotonicFactory(randomFraction);

export type IdPrefix =
  | "usr"
  | "ord"
  | "fil"
  | "trd"
  | "req"
  | "auto"
  | "dep"
  | "rdm"
  | "ses"
  | "aud"
  | "whk"
  | "msg"
  | "psh"
  | "sgn"
  | "otp"
  | "wtx";

/** Creates an id such as `ord_01JD…`, which is sortable by time and unique. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${nextUlid()}`;
}
