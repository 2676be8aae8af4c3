"use client";

import { lazy, type MouseEvent, Suspense, useState } from "react";
import Link from "next/link";
import {
  AverageToNow,
  buildTotalLines,
  getDetail,
  OutcomeBadges,
  type PositionListProps,
} from "@/app/(dashboard)/_positions/position-parts";
import { ROUNDED } from "@/components/format/rounding-note";
import { showPosition } from "@/components/format/sums";
import { DirectionValue, Money, Shares } from "@/components/format/values";
import { Flash } from "@/components/portfolio/flash";
import { LineIcon } from "@/components/portfolio/market-line";
import { MarketTitle } from "@/components/portfolio/market-title";
import { CardList } from "@/components/ui/table";
import type { PositionWire } from "@/lib/browser/use-positions";
import { isClaimable } from "@/lib/domain/position-list";

const PositionSheet = lazy(async () => {
  const { PositionSheet: Sheet } = await import("@/app/(dashboard)/_positions/position-sheet");
  return { default: Sheet };
});

/**
 * Open positions on a phone, two lines each; wins are listed above. A tap on one opens a sheet with the position's
 * figures and actions; without JavaScript it opens the market's page.
 */
export function PositionRows({ label, ...list }: PositionListProps & { label: string }) {
  const { details } = list;
  const positions = list.positions.filter((position) => !isClaimable(position));
  const [openId, setOpenId] = useState<string | null>(null);
  const open = positions.find(({ id }) => id === openId);
  return (
    <>
      <CardList label={label}>
        {positions.map((position) => (
          <li key={position.id} className="flex min-h-16 items-center">
            <PositionLine
              position={position}
              tick={getDetail(details, position).tick}
              onOpen={() => setOpenId(position.id)}
            />
          </li>
        ))}
        <Totals {...list} folds={[...foldWins(list), ...(list.folds ?? [])]} />
      </CardList>
      {open && (
        <Suspense>
          <PositionSheet
            position={open}
            tick={getDetail(details, open).tick}
            onClose={() => setOpenId(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Returns the wins of a list, which the page lists above it. */
function foldWins({ positions, totalOf = positions }: PositionListProps) {
  const wins = totalOf.filter(isClaimable);
  const label = `${wins.length} ${wins.length === 1 ? "win" : "wins"} to claim, listed above`;
  return wins.length === 0 ? [] : [{ label, positions: wins }];
}

/** The total, after a line for each group of folded positions. */
function Totals(list: PositionListProps) {
  const { folds, total } = buildTotalLines(list);
  return (
    <>
      {folds.map(({ label, value, pnl }) => (
        <li key={label} className="flex items-start justify-between gap-3 px-3 py-2 text-text-2">
          <span>{label}</span>
          <span className="shrink-0 text-right">
            <Money usdc={value} />
            <span className="block text-small">
              <DirectionValue usdc={pnl} />
            </span>
          </span>
        </li>
      ))}
      <li className="flex items-start justify-between gap-3 px-3 py-3 font-[550]">
        <span>
          {total.label}{" "}
          <span className="block text-small font-normal text-text-2">
            cost <Money usdc={total.cost} />
          </span>
          {total.isRounded && (
            <span className="block text-small font-normal text-text-2">{ROUNDED}</span>
          )}
        </span>
        <span className="text-right">
          <Money usdc={total.value} />
          <span className="block text-small">
            <DirectionValue usdc={total.pnl} percent={total.percent} />
          </span>
        </span>
      </li>
    </>
  );
}

interface LineProps {
  position: PositionWire;
  tick: string;
  onOpen: () => void;
}

function PositionLine({ position, tick, onOpen }: LineProps) {
  const { marketTitle, marketSlug } = position;
  const figures = showPosition(position);
  const content = (
    <>
      <LineIcon iconUrl={position.iconUrl} />
      <span className="min-w-0 flex-1">
        <span className="flex leading-[1.125rem] font-[550]">
          <MarketTitle title={marketTitle} />
        </span>
        {/* It wraps, because half a price would read as another one. */}
        <span className="flex flex-wrap items-center gap-x-1.5 text-small text-text-2">
          <OutcomeBadges position={position} />
          <span>
            <Shares shares={position.shares} /> · <AverageToNow position={position} tick={tick} />
          </span>
        </span>
      </span>
      <span className="shrink-0 text-right">
        <span className="block font-[550]">
          <Flash value={position.value}>
            <Money usdc={figures.value} />
          </Flash>
        </span>
        <span className="block text-small">
          <DirectionValue usdc={figures.pnl} />
        </span>
      </span>
    </>
  );
  const look = "flex min-h-16 min-w-0 flex-1 items-center gap-2 px-3 py-2";
  const open = (event: MouseEvent) => {
    // A new tab or window gets the market's page.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen();
  };
  if (marketSlug === null) {
    return (
      <button type="button" onClick={onOpen} className={`${look} text-left`}>
        {content}
      </button>
    );
  }
  return (
    <Link href={`/markets/${marketSlug}`} prefetch={false} onClick={open} className={look}>
      {content}
    </Link>
  );
}
