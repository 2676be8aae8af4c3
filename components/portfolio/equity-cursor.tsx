"use client";

import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { BOX, type Place, toPercent } from "@/components/charts/price-points";
import { formatMoney } from "@/components/format/numbers";
import { usePreferences } from "@/components/format/preferences";
import { formatInstant } from "@/components/format/times";
import { Money } from "@/components/format/values";

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

/** Shows the value at a time, chosen by pointer, touch or arrow keys. */
export function EquityCursor({ points }: { points: readonly ValuePlace[] }) {
  const preferences = usePreferences();
  const [index, setIndex] = useState<number | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const last = points.length - 1;
  const current = points[Math.min(index ?? last, last)];
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
    const by = STEPS[event.key];
    const to = { Home: 0, End: last }[event.key] ?? (by && (index ?? last) + by);
    if (to === undefined) return;
    event.preventDefault();
    setIndex(Math.max(0, Math.min(last, to)));
  };
  if (!current) return null;
  const time = formatInstant(current.at, preferences);
  return (
    <div
      ref={area}
      role="slider"
      tabIndex={0}
      aria-label="Portfolio value over time"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index ?? last}
      aria-valuetext={`${formatMoney(current.value)} · ${time}`}
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
          <p
            style={
              current.x > BOX / 2
                ? { right: `calc(${toPercent(BOX - current.x)} + 8px)` }
                : { left: `calc(${toPercent(current.x)} + 8px)` }
            }
            className="pointer-events-none absolute top-0 rounded-control bg-ink px-2 py-1 text-caption whitespace-nowrap text-on-ink"
          >
            <Money usdc={current.value} /> · {time}
          </p>
        </>
      )}
    </div>
  );
}
