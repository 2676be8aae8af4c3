import type { ReactNode } from "react";
import {
  formatCompactMoney,
  formatMoney,
  formatPercent,
  formatPoints,
  formatPrice,
  formatProbability,
  formatShares,
  formatSignedMoney,
  formatUsdcExact,
  NOTHING,
} from "@/components/format/numbers";

/** A figure that "hide values" replaces by dots. Prices and percentages are never masked. */
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

interface MoneyProps {
  usdc: number | null;
  /** A cost or a fee, which is rounded up; everything else is rounded down. */
  isPaid?: boolean;
  compact?: boolean;
}

export function Money({ usdc, isPaid = false, compact = false }: MoneyProps) {
  if (usdc === null) return NOTHING;
  const text = compact ? formatCompactMoney(usdc) : formatMoney(usdc, isPaid ? "up" : "down");
  return <Masked>{text}</Masked>;
}

/** Every decimal that is there: what sums are checked with. */
export function ExactUsdc({ usdc }: { usdc: number | null }) {
  if (usdc === null) return NOTHING;
  return <Masked>{formatUsdcExact(usdc)}</Masked>;
}

export function Shares({ shares }: { shares: number | null }) {
  if (shares === null) return NOTHING;
  return <Masked>{formatShares(shares)}</Masked>;
}

interface PriceProps {
  price: number | null;
  tickSize?: string;
  /** Averages carry one decimal more than the grid. */
  isAverage?: boolean;
}

export function Price({ price, tickSize, isAverage = false }: PriceProps) {
  return <span className="num">{formatPrice(price, tickSize, isAverage ? 1 : 0)}</span>;
}

export function Probability({ price }: { price: number | null }) {
  return <span className="num">{formatProbability(price)}</span>;
}

interface DirectionProps {
  usdc: number | null;
  /** 8.3 for 8.3 %. */
  percent?: number | null;
}

/** ▲ +$12.40 (+8.3%): arrow, sign and colour say the same. */
export function DirectionValue({ usdc, percent = null }: DirectionProps) {
  if (usdc === null) return NOTHING;
  return (
    <span className={`num whitespace-nowrap ${toneOf(usdc)}`}>
      <Arrow value={usdc} />
      <Masked>{formatSignedMoney(usdc)}</Masked>
      {percent !== null && <> ({formatPercent(percent)})</>}
    </span>
  );
}

/** ▲ +4.0%, for changes that are not money. */
export function DirectionPercent({ percent }: { percent: number | null }) {
  if (percent === null) return NOTHING;
  return (
    <span className={`num whitespace-nowrap ${toneOf(percent)}`}>
      <Arrow value={percent} />
      {formatPercent(percent)}
    </span>
  );
}

/** ▲ +4 pt: how a chance changed. `change` is 0.04 for four points. */
export function DirectionPoints({ change }: { change: number | null }) {
  if (change === null) return NOTHING;
  return (
    <span className={`num whitespace-nowrap ${toneOf(change)}`}>
      <Arrow value={change} />
      {formatPoints(change)} pt
    </span>
  );
}

function Arrow({ value }: { value: number }) {
  if (value === 0) return null;
  return <span aria-hidden="true">{value > 0 ? "▲ " : "▼ "}</span>;
}

function toneOf(value: number): string {
  if (value === 0) return "text-text-2";
  return value > 0 ? "text-up" : "text-down";
}
