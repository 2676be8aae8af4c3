import { formatCount } from "@/components/format/numbers";

interface Props {
  /** Oldest first. The last bar is the running hour. */
  hours: readonly { total: number; failed: number }[];
  /** For screen readers: "API requests per hour". */
  label: string;
}

const [BAR, GAP, HEIGHT] = [8, 4, 56];
/** A single request is visible beside thousands. */
const LEAST_HEIGHT = 2;

/** Counts by hour as bars, with the failed part in another color at the bottom. */
export function HourBars({ hours, label }: Props) {
  const most = Math.max(1, ...hours.map(({ total }) => total));
  const width = hours.length * (BAR + GAP) - GAP;
  const scale = (count: number) =>
    count === 0 ? 0 : Math.max(LEAST_HEIGHT, (count / most) * HEIGHT);
  return (
    <figure>
      <svg
        role="img"
        aria-label={`${label}: at most ${formatCount(most)}`}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-14 w-full border-b border-border"
      >
        {hours.map(({ total, failed }, index) => {
          const x = index * (BAR + GAP);
          return (
            <g key={index}>
              <Bar x={x} height={scale(total)} className="fill-accent" />
              <Bar x={x} height={scale(failed)} className="fill-danger" />
            </g>
          );
        })}
      </svg>
      <figcaption className="mt-1 flex justify-between text-caption text-text-3">
        <span>{hours.length} hours earlier</span>
        <span>Now</span>
      </figcaption>
    </figure>
  );
}

function Bar({ x, height, className }: { x: number; height: number; className: string }) {
  if (height === 0) return null;
  return <rect x={x} y={HEIGHT - height} width={BAR} height={height} className={className} />;
}
