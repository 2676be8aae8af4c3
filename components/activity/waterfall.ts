/** A step of a waterfall: a flow that starts where the last one ended, or a total that starts at zero. */
export interface WaterfallStep {
  amount: number;
  isTotal: boolean;
}

/** A bar in parts of the chart's width, from 0 to 1. */
export interface WaterfallBar {
  start: number;
  width: number;
  /** Where the next flow starts. */
  end: number;
}

/** A waterfall's bars on one scale, and where zero is on it. */
export interface Waterfall {
  bars: WaterfallBar[];
  zero: number;
}

/** Computes the bars. The scale has room for every running total, which can be negative in between. */
export function buildWaterfall(steps: readonly WaterfallStep[]): Waterfall {
  let running = 0;
  const spans = steps.map(({ amount, isTotal }) => {
    const from = isTotal ? 0 : running;
    running = from + amount;
    return { from, to: running };
  });
  const edges = [0, ...spans.flatMap(({ from, to }) => [from, to])];
  const [lowest, highest] = [Math.min(...edges), Math.max(...edges)];
  const range = highest - lowest || 1;
  const toPart = (value: number) => (value - lowest) / range;
  return {
    zero: toPart(0),
    bars: spans.map(({ from, to }) => ({
      start: toPart(Math.min(from, to)),
      width: Math.abs(to - from) / range,
      end: toPart(to),
    })),
  };
}
