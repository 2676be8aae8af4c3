import { divide, type Rounding } from "@/lib/units";

const CENT = 10_000n;

/** Money cut or filled up to whole cents, so that no display rounds it in the wrong direction. */
export function wholeCents(micro: bigint, rounding: Rounding): bigint {
  if (micro >= 0n) return divide(micro, CENT, rounding) * CENT;
  return -divide(-micro, CENT, rounding === "up" ? "down" : "up") * CENT;
}
