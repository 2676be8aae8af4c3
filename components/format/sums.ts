import { formatMoney } from "@/components/format/numbers";
import { microToNumber, parseMicro } from "@/lib/units";

const CENT = 10_000n;

/**
 * The rest of a sum whose whole and other part stand beside it, such as the cost of a position that
 * shows its value and its profit: as text, so that the three add up to the cent by eye. Each of the
 * others is rounded down by itself; the rest is then the exact one rounded down or up, never more
 * than a cent away from it.
 */
export function formatRest(whole: number, part: number): string {
  return formatMoney(microToNumber(shownCents(whole) - shownCents(part)));
}

/**
 * What an amount comes to after a change that is shown beside it, paid (below zero, shown rounded
 * up) or received (shown rounded down): as text that adds up with both, and never promises more.
 */
export function formatAfter(before: number, change: number): string {
  const after = shownCents(before) + shownCents(change);
  return formatMoney(microToNumber(after < 0n ? 0n : after));
}

/** What `formatMoney` shows of an amount that is rounded down, in micro-dollars. */
function shownCents(usdc: number): bigint {
  const parsed = parseMicro(String(usdc));
  if (!parsed.ok) throw new Error(`${usdc} is not an amount with six decimals`);
  const { micro } = parsed;
  const over = micro % CENT;
  return micro - over - (over < 0n ? CENT : 0n);
}
