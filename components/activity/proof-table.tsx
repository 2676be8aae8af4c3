import Link from "next/link";
import type { ProofStep } from "@/components/activity/proof-steps";
import { buildWaterfall, type WaterfallBar } from "@/components/activity/waterfall";
import {
  formatExactMoney,
  formatExactSignedMoney,
  formatMoney,
  formatSignedMoney,
} from "@/components/format/numbers";
import { Masked } from "@/components/format/values";

/** The width of the chart in its own units. */
const WIDTH = 1000;
const HEIGHT = 40;
/** An amount is visible, however small. */
const MIN_WIDTH = 3;

/** The proof as a table in which each row has its bar of the waterfall. */
export function ProofTable({ steps }: { steps: readonly ProofStep[] }) {
  const { bars, zero } = buildWaterfall(
    steps.map(({ shown, kind }) => ({ amount: shown, isTotal: kind === "total" })),
  );
  return (
    <table className="proof w-full border-collapse text-left">
      <caption className="sr-only">From the deposits to the portfolio value</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="text-caption text-text-3">
          <th scope="col" className="px-3 py-2 sm:px-4">
            Step
          </th>
          <th scope="col" className="hidden w-[45%] py-2 sm:table-cell">
            <span className="sr-only">Bar</span>
          </th>
          <th scope="col" className="px-3 py-2 text-right">
            Amount
          </th>
          <th
            scope="col"
            className="hidden px-3 py-2 text-right sm:px-4 lg:table-cell print:table-cell"
          >
            Exact
          </th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, at) => (
          <StepRow
            key={step.name}
            step={step}
            bar={bars[at] ?? NO_BAR}
            before={at === 0 ? null : (bars[at - 1]?.end ?? null)}
            isLast={at === steps.length - 1}
            zero={zero}
          />
        ))}
      </tbody>
    </table>
  );
}

const NO_BAR: WaterfallBar = { start: 0, width: 0, end: 0 };

interface RowProps {
  step: ProofStep;
  bar: WaterfallBar;
  /** Where the bar above ended. */
  before: number | null;
  isLast: boolean;
  zero: number;
}

function StepRow(row: RowProps) {
  const { name, note, href, kind, shown, exact } = row.step;
  const isTotal = kind === "total";
  return (
    <tr
      className={`relative align-middle last:border-b-0 hover:bg-surface-2 ${isTotal ? "border-y border-border" : ""}`}
    >
      <th scope="row" className="px-3 pt-2 pb-10 font-normal sm:px-4 sm:py-1.5">
        {href === null ? (
          <span className="font-[550]">{name}</span>
        ) : (
          <Link
            href={href}
            prefetch={false}
            className={`after:absolute after:inset-0 hover:underline ${isTotal ? "text-heading" : "font-[550]"}`}
          >
            {name}
          </Link>
        )}
        <span className="block text-small text-text-2">{note}</span>
        <span className="absolute inset-x-3 bottom-1 sm:hidden">
          <StepBar {...row} />
        </span>
      </th>
      <td className="hidden p-0 sm:table-cell">
        <StepBar {...row} />
      </td>
      <td
        className={`num px-3 py-2 text-right align-top whitespace-nowrap sm:align-middle ${isTotal ? "text-heading" : "font-[550]"}`}
      >
        <Masked>{isTotal ? formatMoney(shown) : formatSignedMoney(shown)}</Masked>
      </td>
      <td className="num hidden px-3 py-2 text-right text-small whitespace-nowrap text-text-2 sm:px-4 lg:table-cell print:table-cell">
        <Masked>{isTotal ? formatExactMoney(exact) : formatExactSignedMoney(exact)}</Masked>
      </td>
    </tr>
  );
}

/** A bar, with the lines that join it to its neighbors. Money that went out is hatched. */
function StepBar({ step, bar, before, isLast, zero }: RowProps) {
  const isOut = step.shown < 0;
  const width = step.shown === 0 ? 0 : Math.max(bar.width * WIDTH, MIN_WIDTH);
  const x = Math.min(bar.start * WIDTH, WIDTH - width);
  // An empty step has no bar that would part the lines.
  const [top, bottom] = width === 0 ? [HEIGHT / 2, HEIGHT / 2] : [HEIGHT / 4, (HEIGHT * 3) / 4];
  const tone = step.kind === "total" ? "fill-ink" : isOut ? "fill-down" : "fill-up";
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-8 w-full sm:h-14"
    >
      <path d={`M${zero * WIDTH} 0V${HEIGHT}`} className="proof-line" />
      {before !== null && <path d={`M${before * WIDTH} 0V${top}`} className="proof-line" />}
      {!isLast && <path d={`M${bar.end * WIDTH} ${bottom}V${HEIGHT}`} className="proof-line" />}
      <g>
        <rect x={x} y={HEIGHT / 4} width={width} height={HEIGHT / 2} className={tone} />
        {isOut && (
          <path d={hatch(x, width)} className="proof-hatch" vectorEffect="non-scaling-stroke" />
        )}
      </g>
    </svg>
  );
}

/** The distance of the hatch's lines. */
const HATCH = 14;

/** Lines across a bar, so that it differs from the others without color, also on paper. */
function hatch(x: number, width: number): string {
  const [top, bottom] = [HEIGHT / 4, (HEIGHT * 3) / 4];
  const lines: string[] = [];
  for (let at = x + HATCH; at < x + width; at += HATCH) {
    lines.push(`M${at} ${top}L${Math.max(at - HATCH, x)} ${bottom}`);
  }
  return lines.join("");
}
