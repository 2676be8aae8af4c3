import type { ReactNode } from "react";
import {
  formatFullMoney,
  formatMoney,
  formatOrderPrice,
  formatPercent,
  formatPoints,
  formatPrice,
  formatProbability,
  formatShares,
  formatSignedMoney,
  MINUS,
  NOTHING,
} from "@/components/format/numbers";

/** A figure that "hide values" replaces with dots. Prices and percentages are never masked. */
export function Masked({ children }: { children: ReactNode }) {
  return (
    <>
      <span className="masked-value num">{children}</span>
      <span className="masked-dots" aria-label="hidden" role="img">
        ••••
      </span>
    </>
  );
}

/** An amount to the nearest cent. */
export function Money({ usdc }: { usdc: number | null }) {
  return usdc === null ? NOTHING : <Masked>{formatMoney(usdc)}</Masked>;
}

interface ExactProps {
  usdc: number | null;
  /** The amounts that are shown with it, in the same number of decimals. */
  others?: readonly number[];
}

/** An amount with all its decimals, to check sums. */
export function ExactUsdc({ usdc, others }: ExactProps) {
  if (usdc === null) return NOTHING;
  return <Masked>{formatFullMoney(usdc, others)}</Masked>;
}

interface AmountProps extends ExactProps {
  isExact: boolean;
}

/** An amount to the nearest cent, or with all its decimals if the reader asked for them. */
export function Amount({ isExact, ...amount }: AmountProps) {
  return isExact ? <ExactUsdc {...amount} /> : <Money usdc={amount.usdc} />;
}

export function Shares({ shares }: { shares: number | null }) {
  if (shares === null) return NOTHING;
  return <Masked>{formatShares(shares)}</Masked>;
}

interface PriceProps {
  price: number | null;
  tickSize?: string;
  /** Averages have one decimal more than the grid. */
  isAverage?: boolean;
}

export function Price({ price, tickSize, isAverage = false }: PriceProps) {
  const text = isAverage ? formatPrice(price, tickSize, 1) : formatOrderPrice(price, tickSize);
  return <span className="num">{text}</span>;
}

export function Probability({ price }: { price: number | null }) {
  return <span className="num">{formatProbability(price)}</span>;
}

interface DirectionProps {
  usdc: number | null;
  /** 8.3 for 8.3 %. */
  percent?: number | null;
}

/** ▲ +$12.40 (+8.3%), with arrow, sign and color. */
export function DirectionValue({ usdc, percent = null }: DirectionProps) {
  if (usdc === null) return NOTHING;
  const text = formatSignedMoney(usdc);
  return (
    <span className={`num whitespace-nowrap ${chooseTone(text)}`}>
      <Arrow of={text} />
      <Masked>{text}</Masked>
      {percent !== null && <> ({formatPercent(percent)})</>}
    </span>
  );
}

/** ▲ +4 pt: the change of a chance. `change` is 0.04 for four points. */
export function DirectionPoints({ change }: { change: number | null }) {
  if (change === null) return NOTHING;
  const text = formatPoints(change);
  return (
    <span className={`num whitespace-nowrap ${chooseTone(text)}`}>
      <Arrow of={text} />
      {text} pt
    </span>
  );
}

/** The arrow follows the rounded text: a text without a sign has none. */
function Arrow({ of }: { of: string }) {
  if (!isSigned(of)) return null;
  return <span aria-hidden="true">{isUp(of) ? "▲ " : "▼ "}</span>;
}

function chooseTone(text: string): string {
  if (!isSigned(text)) return "text-text-2";
  return isUp(text) ? "text-up" : "text-down";
}

const isUp = (text: string) => text.startsWith("+");
const isSigned = (text: string) => isUp(text) || text.startsWith(MINUS);
