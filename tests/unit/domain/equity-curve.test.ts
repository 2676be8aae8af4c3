import { describe, expect, it } from "vitest";
import { sumDeposits, type Movement, walkBack } from "@/lib/domain/equity-curve";
import { shares, usdc } from "@/lib/units";

const TOKEN = "1";
const move = (
  sample: number,
  tokenId: string | null,
  amount: bigint,
  deposited = 0n,
): Movement => ({
  sample,
  tokenId,
  amount,
  deposited,
});

/** 100 deposited before sample 0; 40 spent on 80 shares before sample 1; 7 deposited before sample 3. */
const MOVEMENTS = [
  move(1, null, -40n),
  move(1, TOKEN, 80n),
  move(3, null, 7n, 7n),
  move(3, TOKEN, -30n),
  move(3, null, 15n),
];
const LAST = { cash: usdc(82n), shares: new Map([[TOKEN, shares(50n)]]) };

describe("walking back from the current holdings", () => {
  it("returns the current holdings as the last sample, and undoes later movements in earlier ones", () => {
    const walked = walkBack(LAST, MOVEMENTS, 4);
    expect(walked.map(({ cash }) => cash)).toEqual([100n, 60n, 60n, 82n]);
    expect(walked.map((holdings) => holdings.shares.get(TOKEN))).toEqual([0n, 80n, 80n, 50n]);
    expect(walked.at(-1)).toBe(LAST);
  });

  it("includes a token that was sold since", () => {
    const gone = { cash: usdc(90n), shares: new Map() };
    const walked = walkBack(gone, [move(1, null, 50n), move(1, TOKEN, -50n)], 2);
    expect(walked[0]).toEqual({ cash: 40n, shares: new Map([[TOKEN, 50n]]) });
    expect(gone.shares.size).toBe(0);
  });

  it("returns equal samples without movements", () => {
    expect(walkBack(LAST, [], 3)).toEqual([LAST, LAST, LAST]);
  });
});

it("only deposits count as deposited", () => {
  expect(sumDeposits(MOVEMENTS)).toBe(7n);
  expect(sumDeposits([])).toBe(0n);
});
