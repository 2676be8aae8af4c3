"use client";

import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { BOX, type Place, toPercent } from "@/components/charts/price-points";
import { formatMoney } from "@/components/format/numbers";
import { usePreferences } from "@/components/format/preferences";
import { formatInstant } from "@/components/format/times";
import { Money } from "@/components/format/values";
import { describeTrades, TradeLines, type Traded } from "@/components/portfolio/equity-trades";
import { isHidingValues, subscribeToHideValues } from "@/lib/browser/hide-values";

interface ValuePlace extends Place {
  /** ISO 8601. */
  at: string;
  value: number;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageDown: -10,
  PageUp: 10,
};

interface Props extends Traded {
  points: readonly ValuePlace[];
}

/**
 * Shows the value at a time, chosen by pointer, touch or arrow keys, and what was traded since the point
 * before.
 */
export function EquityCursor({ points, outcomes, trades }: Props) {
  const isHiding = useSyncExternalStore(subscribeToHideValues, isHidingValues, () => false);
  const preferences = usePreferences();
  const [index, setIndex] = useState<number | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const last = points.length - 1;
  const shown = Math.min(index ?? last, last);
  const current = points[shown];
  const traded = trades.find(({ point }) => point === shown);
  const follow = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    if (!box) return;
    const x = ((event.clientX - box.left) / box.width) * BOX;
    setIndex(
      Math.max(
        0,
        points.findLastIndex((point) => point.x <= x),
      ),
    );
  };
  const step = (event: KeyboardEvent) => {
    if (event.key === "Escape") setIndex(null);
    const by = STEPS[event.key];
    const to = { Home: 0, End: last }[event.key] ?? (by && (index ?? last) + by);
    if (to === undefined) return;
    event.preventDefault();
    setIndex(Math.max(0, Math.min(last, to)));
  };
  if (!current) return null;
  const time = formatInstant(current.at, preferences);
  const value = isHiding ? "Value hidden" : formatMoney(current.value);
  return (
    <div
      ref={area}
      role="slider"
      tabIndex={0}
      aria-label="Portfolio value over time"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index ?? last}
      aria-valuetext={`${value} · ${time}${traded ? ` · ${describeTrades(traded, outcomes, isHiding)}` : ""}`}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => setIndex(null)}
      onBlur={() => setIndex(null)}
      onKeyDown={step}
      className="absolute inset-0 cursor-crosshair touch-pan-y"
    >
      {index !== null && (
        <>
          <svg aria-hidden="true" className="pointer-events-none size-full overflow-visible">
            <line
              x1={toPercent(current.x)}
              x2={toPercent(current.x)}
              y1="0"
              y2="100%"
              className="stroke-text-3"
            />
            <circle
              cx={toPercent(current.x)}
              cy={toPercent(current.y)}
              r="4"
              className="fill-text stroke-surface"
            />
          </svg>
          <Readout x={current.x}>
            <p>
              <Money usdc={current.value} /> · {time}
            </p>
            {traded && <TradeLines traded={traded} outcomes={outcomes} />}
          </Readout>
        </>
      )}
    </div>
  );
}

/** A box beside the cursor, on the side with more room. */
function Readout({ x, children }: { x: number; children: ReactNode }) {
  const side = x > BOX / 2 ? "right" : "left";
  const offset = side === "right" ? BOX - x : x;
  return (
    <div
      style={{
        [side]: `calc(${toPercent(offset)} + 8px)`,
        maxWidth: toPercent(BOX - offset),
      }}
      className="pointer-events-none absolute top-0 z-10 w-max rounded-control border border-ink bg-ink px-1.5 py-1 text-caption text-on-ink"
    >
      {children}
    </div>
  );
}
