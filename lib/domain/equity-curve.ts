import { add, NO_USDC, type Shares, shares, subtract, sum, type Usdc, usdc } from "@/lib/units";

/** An account's cash, and its shares by token, at one instant. */
export interface Holdings {
  cash: Usdc;
  shares: ReadonlyMap<string, Shares>;
}

/** A change of cash or shares between two samples of a curve; negative if they left the account. */
export interface Movement {
  /** Null for cash. */
  tokenId: string | null;
  /** The first sample that includes the movement, from 1 on. */
  sample: number;
  amount: bigint;
  /** The part of the amount that was deposited. */
  deposited: bigint;
}

/**
 * Returns the holdings at each of `count` samples, oldest first. Starts from the last sample and undoes
 * the movements, so the end of the curve is exact.
 */
export function walkBack(
  last: Holdings,
  movements: readonly Movement[],
  count: number,
): Holdings[] {
  const bySample = new Map<number, Movement[]>();
  for (const movement of movements) {
    bySample.set(movement.sample, [...(bySample.get(movement.sample) ?? []), movement]);
  }
  const walked: Holdings[] = [];
  let holdings = last;
  for (let sample = count - 1; sample >= 0; sample -= 1) {
    walked.push(holdings);
    holdings = (bySample.get(sample) ?? []).reduce(undo, holdings);
  }
  return walked.toReversed();
}

/** Returns the sum of deposits after sample 0. */
export function sumDeposits(movements: readonly Movement[]): Usdc {
  return sum(movements.map((movement) => usdc(movement.deposited)));
}

/** Returns the deposits up to each of `count` samples, oldest first. */
export function walkDeposits(total: Usdc, movements: readonly Movement[], count: number): Usdc[] {
  const later = Array.from({ length: count }, () => NO_USDC);
  for (const { sample, deposited } of movements) {
    for (let before = 0; before < sample; before += 1) {
      later[before] = add(later[before] ?? NO_USDC, usdc(deposited));
    }
  }
  return later.map((afterwards) => subtract(total, afterwards));
}

function undo(holdings: Holdings, { tokenId, amount }: Movement): Holdings {
  if (tokenId === null) return { ...holdings, cash: subtract(holdings.cash, usdc(amount)) };
  const before = add(holdings.shares.get(tokenId) ?? shares(0n), shares(-amount));
  return { ...holdings, shares: new Map(holdings.shares).set(tokenId, before) };
}
