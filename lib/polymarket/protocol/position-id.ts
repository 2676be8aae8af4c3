import "server-only";

/** Decimal text without a sign or a leading zero. */
const CANONICAL = /^(0|[1-9]\d{0,77})$/;
const MAX_UINT256 = 2n ** 256n - 1n;
/** Bits 40 to 103 are zero in every position id of Protocol V2 (polymarket-protocol-v2.md 3.1). */
const RESERVED_SHIFT = 40n;
const RESERVED_MASK = 2n ** 64n - 1n;

/**
 * Whether an id is an outcome token of the Conditional Tokens contract (Protocol V1): the canonical
 * decimal text of a uint256 outside the namespace of Protocol V2. As in the official SDKs, that
 * namespace is all ids with zero reserved bits. A hash is in it by chance once in 2^64.
 */
export function isConditionalTokenId(tokenId: string): boolean {
  return isUint256(tokenId) && !hasZeroReservedBits(BigInt(tokenId));
}

/** Whether an id is in the namespace of Protocol V2. */
export function isPositionId(tokenId: string): boolean {
  return isUint256(tokenId) && hasZeroReservedBits(BigInt(tokenId));
}

/** Whether a condition id of 64 hex digits belongs to Protocol V2: 62 digits and a zero byte. */
export function isPositionConditionId(conditionId: string): boolean {
  return conditionId.endsWith("00") && hasZeroReservedBits(BigInt(conditionId));
}

const isUint256 = (text: string) => CANONICAL.test(text) && BigInt(text) <= MAX_UINT256;

function hasZeroReservedBits(id: bigint): boolean {
  return ((id >> RESERVED_SHIFT) & RESERVED_MASK) === 0n;
}
