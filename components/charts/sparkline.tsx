import { formatProbability } from "@/components/format/numbers";

interface Props {
  /** Past prices, oldest first, with the current one at the end. */
  prices: readonly number[];
}

const [WIDTH, HEIGHT] = [60, 20];
/** A market that moves by less than this is drawn nearly flat, in dollars. */
const LEAST_SPAN = 0.04;

/** The price of the last 7 days, or since the market opened, as a small line. Its color says nothing about the profit beside it. */
export function Sparkline({ prices }: Props) {
  const [min, max] = [Math.min(...prices), Math.max(...prices)];
  const span = Math.max(max - min, LEAST_SPAN);
  const middle = (min + max) / 2;
  const points = prices.map((price, index) => {
    const x = (index * WIDTH) / (prices.length - 1);
    const y = HEIGHT / 2 - ((price - middle) / span) * (HEIGHT - 2);
    return `${Math.round(x)} ${Math.round(y)}`;
  });
  return (
    <svg
      role="img"
      aria-label={`From ${formatProbability(prices[0] ?? null)}, lowest ${formatProbability(min)}, highest ${formatProbability(max)}`}
      width={WIDTH}
      height={HEIGHT}
      className="stroke-text-3"
    >
      <path d={`M${points.join("L")}`} fill="none" strokeWidth="1.5" />
    </svg>
  );
}
