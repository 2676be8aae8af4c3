import "server-only";
import { isCombo } from "@/lib/domain/combo";
import type { Protocol } from "@/lib/domain/protocol";

/** Decimal text without a sign or a leading zero. */
const CANONICAL = /^(0|[1-9]\d{0,77})$/;
const MAX_UINT256 = 2n ** 256n - 1n;

/** The modules of Protocol V2 that the order book trades (polymarket-protocol-v2.md 3.1). */
const MODULE = { binary: 1n, negRisk: 2n } as const;

/** A neg-risk event has at least this many outcomes. */
const MIN_ARITY = 2n;

/** The fields of a position id: 8 + 128 + 16 + 64 + 16 + 16 + 8 bits, the module first. */
interface PositionFields {
  module: bigint;
  arity: bigint;
  reserved: bigint;
  chain: bigint;
  conditionIndex: bigint;
  outcome: bigint;
}

/**
 * Whether an id is an outcome token of the Conditional Tokens contract (Protocol V1): the canonical
 * decimal text of a uint256 outside the namespace of Protocol V2. As in the official SDKs, that
 * namespace is all ids with zero reserved bits. A hash is in it by chance once in 2^64.
 */
export function isConditionalTokenId(tokenId: string): boolean {
  return isUint256(tokenId) && decode(tokenId).reserved !== 0n;
}

/** Whether an id is in the namespace of Protocol V2, tradable or not. */
export function isPositionId(tokenId: string): boolean {
  return isUint256(tokenId) && decode(tokenId).reserved === 0n;
}

/** Returns the protocol whose namespace an id is in. */
export const getTokenProtocol = (tokenId: string): Protocol =>
  isPositionId(tokenId) ? "v2" : "v1";

/**
 * Whether an id is a well-formed position of a binary or neg-risk condition, which the order book
 * trades (polymarket-protocol-v2.md 3.3). Combos are traded by request for quote only.
 */
export function isBookPositionId(tokenId: string): boolean {
  if (!isPositionId(tokenId)) return false;
  const { module, arity, chain, conditionIndex, outcome } = decode(tokenId);
  if (chain !== 0n || outcome > 1n) return false;
  if (module === MODULE.binary) return arity === 0n && conditionIndex === 0n;
  // The index that equals the arity is the outcome "Other", which the protocol adds.
  return module === MODULE.negRisk && arity >= MIN_ARITY && conditionIndex <= arity;
}

/** Whether an id is a well-formed position of a combo. */
export const isComboPositionId = (tokenId: string): boolean =>
  isUint256(tokenId) && isCombo(tokenId);

/** Whether two ids are the first and the second outcome of one condition, tradable on the order book. */
export function areBookPositionIds([first, second]: readonly [string, string]): boolean {
  if (!isBookPositionId(first) || !isBookPositionId(second)) return false;
  return decode(first).outcome === 0n && BigInt(second) === BigInt(first) + 1n;
}

/** Returns the two positions of a binary condition. The low 128 bits of a hash name it. */
export const createBinaryPositions = (hash: bigint) => createPositions(MODULE.binary, hash, 0, 0);

/** Returns the two positions of a condition of a neg-risk event with `arity` outcomes. */
export const createNegRiskPositions = (eventHash: bigint, arity: number, conditionIndex: number) =>
  createPositions(MODULE.negRisk, eventHash, arity, conditionIndex);

function createPositions(
  module: bigint,
  hash: bigint,
  arity: number,
  conditionIndex: number,
): [string, string] {
  const base = hash & (2n ** 128n - 1n);
  const first =
    (module << 248n) | (base << 120n) | (BigInt(arity) << 104n) | (BigInt(conditionIndex) << 8n);
  return [first.toString(), (first + 1n).toString()];
}

/** Returns the condition of a position as 64 hex digits: the id with a zero byte for its outcome. */
export function toPositionConditionId(positionId: string): string {
  const conditionId = (BigInt(positionId) >> 8n) << 8n;
  return `0x${conditionId.toString(16).padStart(64, "0")}`;
}

/** Whether a condition id of 64 hex digits belongs to Protocol V2: 62 digits and a zero byte. */
export function isPositionConditionId(conditionId: string): boolean {
  return conditionId.endsWith("00") && isPositionId(BigInt(conditionId).toString());
}

const isUint256 = (text: string) => CANONICAL.test(text) && BigInt(text) <= MAX_UINT256;

function decode(tokenId: string): PositionFields {
  const id = BigInt(tokenId);
  const read = (shift: bigint, width: bigint) => (id >> shift) & (2n ** width - 1n);
  return {
    module: read(248n, 8n),
    arity: read(104n, 16n),
    reserved: read(40n, 64n),
    chain: read(24n, 16n),
    conditionIndex: read(8n, 16n),
    outcome: read(0n, 8n),
  };
}
