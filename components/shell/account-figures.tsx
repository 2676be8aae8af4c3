"use client";

import { usePreferences } from "@/components/format/preferences";
import { DirectionValue, Money } from "@/components/format/values";
import { FreshnessDot } from "@/components/shell/freshness-sign";
import type { AccountSummaryWire } from "@/lib/browser/use-summary";
import { useAccountEvents } from "@/lib/browser/use-account-events";
import { useSummary } from "@/lib/browser/use-summary";
import type { Initial } from "@/lib/browser/use-live";

/**
 * Cash, value and P&L at the top of every page, and whether the page is live. The portfolio has the same
 * figures below the bar, so there the bar leaves them out.
 */
export function AccountFigures({ initial }: { initial: Initial<AccountSummaryWire> }) {
  const { liveUpdates } = usePreferences();
  useAccountEvents(liveUpdates, initial.at);
  const { data } = useSummary(initial, liveUpdates);
  return (
    <dl className="flex min-w-0 items-center gap-4">
      <Figure label="Available">
        <Money usdc={data.availableUsdc} />
      </Figure>
      <Figure label="Portfolio" isWideOnly>
        <Money usdc={data.portfolioValue} />
      </Figure>
      <Figure label="P&L" isWideOnly>
        <DirectionValue usdc={data.totalPnl} />
      </Figure>
      <div className="max-sm:hidden">
        <dt className="sr-only">Updates</dt>
        <dd>
          <FreshnessDot />
        </dd>
      </div>
    </dl>
  );
}

interface FigureProps {
  label: string;
  isWideOnly?: boolean;
  children: React.ReactNode;
}

function Figure({ label, isWideOnly = false, children }: FigureProps) {
  return (
    <div className={`with-figures:hidden ${isWideOnly ? "hidden md:block" : "min-w-0"}`}>
      <dt className="text-caption text-text-3">{label}</dt>
      <dd className="truncate font-[550]">{children}</dd>
    </div>
  );
}
