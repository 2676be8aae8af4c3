import type { TicketWarning } from "@/lib/domain/ticket/issues";
import type { Action } from "@/lib/domain/settlement";
import type { Price } from "@/lib/units";

const CENT = 10_000n;

/** Whether the user must see the review even if it is switched off. */
export function mustConfirm(warnings: readonly TicketWarning[]): boolean {
  return warnings.some(
    (warning) => warning.kind === "far_limit" || (warning.kind === "impact" && warning.isSevere),
  );
}

/** Decides whether a price impact needs a notice or a confirmation. */
export function classifyImpact(impact: Price, best: Price): "none" | "notice" | "confirm" {
  const isPercent = (percent: bigint) => impact * 100n >= best * percent;
  if (impact >= 5n * CENT || (isPercent(10n) && impact >= CENT)) return "confirm";
  return impact >= CENT || isPercent(3n) ? "notice" : "none";
}

/**
 * Returns whether the average price is worse than the one that was shown, by more than one cent or two
 * percent, so that the user must review the order again.
 */
export function hasMovedAgainst(action: Action, shown: Price, current: Price): boolean {
  const worse = action === "BUY" ? current - shown : shown - current;
  return worse > CENT || worse * 100n > shown * 2n;
}
