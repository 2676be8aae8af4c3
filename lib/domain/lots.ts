import { type Shares, shares } from "@/lib/units";

/** Orders are sized in hundredths of a share (polymarket.md 5.1). */
export const LOT = shares(10_000n);

/** Rounds a size in micro-shares down to whole lots. */
export const roundToLots = (size: bigint): Shares => shares(size - (size % LOT));
