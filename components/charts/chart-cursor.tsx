"use client";

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import {
  BOX,
  type PlacedPoint,
  pointAt,
  type PricePoint,
  toPercent,
} from "@/components/charts/price-points";
import { formatProbability } from "@/components/format/numbers";
import { usePreferences } from "@/components/format/preferences";
import { formatInstant } from "@/components/format/times";

interface Props {
  points: readonly PlacedPoint[];
  outcome: string;
  /** Marks that lie on the chart. */
  children?: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageDown: -10,
  PageUp: 10,
};

/** A cursor that shows a point's value, moved by pointer, touch or arrow keys. */
export function ChartCursor({ points, outcome, children }: Props) {
  const { zone, hour12 } = usePreferences();
  const [index, setIndex] = useState<number | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const last = points.length - 1;
  const shown = index === null ? null : (points[Math.min(index, last)] ?? null);
  const follow = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    if (box) setIndex(pointAt(points, ((event.clientX - box.left) / box.width) * BOX));
  };
  const step = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    const to = { Home: 0, End: last }[event.key] ?? (by && (index ?? last) + by);
    if (to === undefined) return;
    event.preventDefault();
    setIndex(Math.max(0, Math.min(last, to)));
  };
  const current = shown ?? points[last];
  const text = (point: PricePoint) =>
    `${formatProbability(point.price)} · ${formatInstant(new Date(point.at).toISOString(), { zone, hour12 })}`;
  return (
    <div
      ref={area}
      role="slider"
      tabIndex={0}
      aria-label={`Chance of ${outcome} over time`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index ?? last}
      aria-valuetext={current && text(current)}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => setIndex(null)}
      onBlur={() => setIndex(null)}
      onKeyDown={step}
      className="absolute inset-0 cursor-crosshair touch-pan-y"
    >
      {children}
      {shown && <Crosshair point={shown} label={text(shown)} />}
    </div>
  );
}

interface CrosshairProps {
  point: PlacedPoint;
  label: string;
}

function Crosshair({ point, label }: CrosshairProps) {
  const [x, y] = [toPercent(point.x), toPercent(point.y)];
  const isRight = point.x > BOX / 2;
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full overflow-visible"
    >
      <line x1={x} x2={x} y1="0" y2="100%" className="stroke-text-3" />
      <line x1="0" x2="100%" y1={y} y2={y} className="stroke-text-3" strokeDasharray="2 4" />
      <circle cx={x} cy={y} r="4" className="fill-series-1 stroke-surface" />
      <text
        x={x}
        y="12"
        dx={isRight ? -8 : 8}
        textAnchor={isRight ? "end" : "start"}
        className="fill-text stroke-surface text-caption tabular-nums"
        strokeWidth="4"
        paintOrder="stroke"
      >
        {label}
      </text>
    </svg>
  );
}
