/** A point of a curve: milliseconds and dollars, to be drawn and never calculated with. */
export interface CurvePoint {
  at: number;
  value: number;
}

export interface Scale {
  low: number;
  high: number;
  /** Evenly spaced from low to high. */
  ticks: number[];
}

const MAX_GAPS = 4;
const STEPS = [1, 2, 2.5, 5, 10] as const;
/** The finest gap between two ticks, in dollars. */
const FINEST = 0.01;
/** What a flat line gets above and below it, in dollars. */
const FLAT_MARGIN = 1;

/** A scale of round figures around the values. */
export function niceScale(values: readonly number[]): Scale {
  const [min, max] = withMargin(Math.min(...values), Math.max(...values));
  const span = max - min;
  const magnitude = 10 ** Math.floor(Math.log10(span / MAX_GAPS));
  const step =
    STEPS.map((factor) => factor * magnitude).find((candidate) => isEnough(candidate, min, max)) ??
    10 * magnitude;
  const gaps = Math.max(1, Math.ceil(max / step) - Math.floor(min / step));
  const low = Math.floor(min / step) * step;
  const ticks = Array.from({ length: gaps + 1 }, (_, index) => low + index * step);
  return { low, high: low + gaps * step, ticks };
}

function withMargin(min: number, max: number): [number, number] {
  if (max - min >= FINEST * MAX_GAPS) return [min, max];
  const low = min - FLAT_MARGIN;
  return [min >= 0 ? Math.max(0, low) : low, max + FLAT_MARGIN];
}

function isEnough(step: number, min: number, max: number): boolean {
  return step >= FINEST && Math.ceil(max / step) - Math.floor(min / step) <= MAX_GAPS;
}

/** The path of a step line through the points, in a box with its origin at the top left. */
export function stepPath(
  points: readonly CurvePoint[],
  scale: Scale,
  box: { width: number; height: number },
): string {
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const x = (at: number) => round(((at - from) / Math.max(1, to - from)) * box.width);
  const y = (value: number) =>
    round((1 - (value - scale.low) / (scale.high - scale.low)) * box.height);
  return points
    .map(({ at, value }, index) =>
      index === 0 ? `M${x(at)} ${y(value)}` : `H${x(at)}V${y(value)}`,
    )
    .join("");
}

const round = (pixels: number) => Math.round(pixels * 10) / 10;
