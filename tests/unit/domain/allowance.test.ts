import { expect, it } from "vitest";
import { classifyAllowance } from "@/lib/domain/allowance";

it.each([
  [null, 5n, "unknown"],
  [0n, 5n, "none"],
  [4n, 5n, "short"],
  [5n, 5n, "enough"],
  [2n ** 256n - 1n, 5n, "unlimited"],
  [0n, 0n, "none"],
] as const)("an allowance of %s against a balance of %s is %s", (allowance, balance, state) => {
  expect(classifyAllowance(allowance, balance)).toBe(state);
});
