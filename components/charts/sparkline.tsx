interface Props {
  /** Past prices, oldest first, with the current one at the end. */
  prices: readonly number[];
}

const [WIDTH, HEIGHT] = [60, 20];
/** A market that moves by less than this is drawn nearly flat, in dollars. */
const LEAST_SPAN = 0.04;

/** The price of the last days as a small line. Texts beside it say the same. */
export function Sparkline({ prices }: Props) {
  const [min, max] = [Math.min(...prices), Math.max(...prices)];
  const span = Math.max(max - min, LEAST_SPAN);
  const middle = (min + max) / 2;
  const points = prices.map((price, index) => {
    const x = (index * WIDTH) / (prices.length - 1);
    const y = HEIGHT / 2 - ((price - middle) / span) * (HEIGHT - 2);
    return `${Math.round(x)} ${Math.round(y)}`;
  });
  const hasRisen = (prices.at(-1) ?? 0) >= (prices[0] ?? 0);
  return (
    <svg
      aria-hidden="true"
      width={WIDTH}
      height={HEIGHT}
      className={hasRisen ? "text-up" : "text-down"}
    >
      <path d={`M${points.join("L")}`} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
