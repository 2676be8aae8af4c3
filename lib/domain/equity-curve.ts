import { add, type Shares, shares, subtract, sum, type Usdc, usdc } from "@/lib/units";

/** What an account has at one instant: cash, and shares by token. */
export interface Holdings {
  cash: Usdc;
  shares: ReadonlyMap<string, Shares>;
}

/** What entered an account (left it, when negative) between two samples of a curve. */
export interface Movement {
  /** Null for cash. */
  tokenId: string | null;
  /** The first sample that knows of it; sample 0 knows of no movement. */
  sample: number;
  amount: bigint;
  /** The part of it that was paid in from outside. */
  deposited: bigint;
}

/**
 * What was held at each of `count` samples, first to last. It walks back from what is held at the
 * last one, so the end of the curve is exact by construction, and the rest follows from the ledger.
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

/** What was paid in after sample 0, which is no gain. */
export function depositedIn(movements: readonly Movement[]): Usdc {
  return sum(movements.map((movement) => usdc(movement.deposited)));
}

function undo(holdings: Holdings, { tokenId, amount }: Movement): Holdings {
  if (tokenId === null) return { ...holdings, cash: subtract(holdings.cash, usdc(amount)) };
  const before = add(holdings.shares.get(tokenId) ?? shares(0n), shares(-amount));
  return { ...holdings, shares: new Map(holdings.shares).set(tokenId, before) };
}
