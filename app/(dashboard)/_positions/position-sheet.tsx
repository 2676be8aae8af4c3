"use client";

import {
  AverageToNow,
  buildPositionHref,
  nameOf,
  ToWin,
} from "@/app/(dashboard)/_positions/position-parts";
import { showPosition } from "@/components/format/sums";
import { DirectionValue, Money, Shares } from "@/components/format/values";
import { ButtonLink } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { PositionWire } from "@/lib/browser/use-positions";
import { isCombo } from "@/lib/domain/combo";

interface Props {
  position: PositionWire;
  tick: string;
  onClose: () => void;
}

/** A position's figures and actions, from the bottom of a phone. */
export function PositionSheet({ position, tick, onClose }: Props) {
  const { marketTitle, marketSlug, outcome, redeemable } = position;
  const isPartOfCombo = isCombo(position.id);
  const figures = showPosition(position);
  const rows = [
    { label: "Outcome", value: outcome },
    { label: "Shares", value: <Shares shares={position.shares} /> },
    { label: "Average → now", value: <AverageToNow position={position} tick={tick} /> },
    { label: "Cost", value: <Money usdc={figures.cost} /> },
    { label: "Value", value: <Money usdc={figures.value} /> },
    {
      label: "P&L before fees",
      value: <DirectionValue usdc={figures.pnl} percent={position.pnlPercent} />,
    },
    { label: "To win", value: <ToWin position={position} /> },
  ];
  return (
    <Dialog title={marketTitle} isOpen isSheet onClose={onClose}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-2">
        {rows.map(({ label, value }) => (
          <div key={label} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-text-2">{label}</dt>
            <dd className="num text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 grid grid-cols-2 gap-2">
        {isPartOfCombo && (
          <p className="col-span-2 text-text-2">
            A combo bets on several markets. Trade and claim it on polymarket.com.
          </p>
        )}
        {!redeemable && !isPartOfCombo && (
          <>
            <ButtonLink
              size="large"
              tone="sell"
              href={buildPositionHref(position, "sell")}
              aria-label={`Sell ${nameOf(position)}`}
            >
              Sell
            </ButtonLink>
            <ButtonLink
              size="large"
              tone="buy"
              href={buildPositionHref(position, "buy")}
              aria-label={`Buy more ${nameOf(position)}`}
            >
              Buy more
            </ButtonLink>
          </>
        )}
        {marketSlug !== null && (
          <ButtonLink size="large" className="col-span-2" href={`/markets/${marketSlug}`}>
            Open market
          </ButtonLink>
        )}
      </div>
    </Dialog>
  );
}
