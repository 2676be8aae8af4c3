/** The module of combos, which the first byte of a position id names. */
const COMBO_MODULE = 3n;

/**
 * Whether a token, given as decimal text, is a position of a combo, which bets on several conditions at
 * once (polymarket-protocol-v2.md 3.1). A combo has no order book, so it is traded and claimed at the
 * venue only. The 64 reserved bits are zero in every position id, and random in the older token ids.
 */
export function isCombo(tokenId: string): boolean {
  const id = BigInt(tokenId);
  return id >> 248n === COMBO_MODULE && BigInt.asUintN(64, id >> 40n) === 0n;
}
