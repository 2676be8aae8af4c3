import { AccountBreakdown } from "@/components/portfolio/account-breakdown";
import { AccountValue, AllTimeProfit, type RangeBase } from "@/components/portfolio/account-value";
import { type EquityCurveWire, EquityLine, isDrawable } from "@/components/portfolio/equity-line";
import { EQUITY_RANGES, getRange } from "@/components/portfolio/equity-range";
import { PORTFOLIO_HEADING_ID } from "@/components/portfolio/redemption-focus";
import { subtractExactly } from "@/components/format/sums";
import { ButtonLink } from "@/components/ui/button";
import { Tabs } from "@/components/ui/tabs";
import type { Initial } from "@/lib/browser/use-live";
import type { AccountSummaryWire } from "@/lib/browser/use-summary";
import type { EquityRange } from "@/lib/schemas/portfolio";

interface Props {
  /** Null during a venue outage without known figures. */
  summary: Initial<AccountSummaryWire> | null;
  /** Null in live mode and while the account has no history. */
  curve: EquityCurveWire | null;
  /** The same page with another range. */
  buildRangeHref: (range: EquityRange) => string;
}

/** The page's heading, the account's value and its parts, and its value over time. */
export function PortfolioHero({ summary, curve, buildRangeHref }: Props) {
  const drawn = curve && isDrawable(curve) ? curve : null;
  const base = drawn && findBase(drawn);
  return (
    <header className="relative mb-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <div className="min-w-0 max-sm:w-full">
        <div className="flex flex-wrap gap-x-2">
          <h1
            id={PORTFOLIO_HEADING_ID}
            tabIndex={-1}
            className="flex min-h-4 items-center text-caption text-text-2"
          >
            Portfolio
          </h1>
          {summary && base && <AllTimeProfit initial={summary} />}
        </div>
        {summary && (
          <AccountValue initial={summary} base={base}>
            {drawn && (
              <Tabs
                label="Range"
                isDense
                items={EQUITY_RANGES.map(({ range, label }) => ({
                  href: buildRangeHref(range),
                  label,
                  isCurrent: range === drawn.range,
                }))}
              />
            )}
          </AccountValue>
        )}
      </div>
      {/* On a phone, a line that arrived after the figures would push them down. */}
      {drawn && (
        <div className="w-full sm:order-last">
          <EquityLine curve={drawn} />
        </div>
      )}
      <div className="flex items-start gap-3 max-sm:contents">
        {summary && (
          <div className="max-sm:w-full">
            <AccountBreakdown initial={summary} />
          </div>
        )}
        <span className="max-sm:absolute max-sm:top-0 max-sm:right-0">
          <ButtonLink href="/wallet">Add funds</ButtonLink>
        </span>
      </div>
    </header>
  );
}

/** Returns what the profit of a curve's range is measured from; null for all time, which is shown anyway. */
function findBase(curve: EquityCurveWire): RangeBase | null {
  const last = curve.points.at(-1);
  if (!last || curve.isWhole) return null;
  return {
    usdc: subtractExactly(last.value, curve.change),
    title: getRange(curve).title.toLowerCase(),
  };
}
