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
  MINUS,
  NOTHING,
} from "@/components/format/numbers";
import { formatRest } from "@/components/format/sums";

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

interface RestProps {
  /** A sum that is shown beside it, rounded down, and the part of it that is. */
  whole: number;
  part: number;
}

/** What is left of a sum: with the part beside it, it adds up to the cent by eye. */
export function MoneyRest({ whole, part }: RestProps) {
  return <Masked>{formatRest(whole, part)}</Masked>;
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
  const text = formatSignedMoney(usdc);
  return (
    <span className={`num whitespace-nowrap ${toneOf(text)}`}>
      <Arrow of={text} />
      <Masked>{text}</Masked>
      {percent !== null && <> ({formatPercent(percent)})</>}
    </span>
  );
}

/** ▲ +4.0%, for changes that are not money. */
export function DirectionPercent({ percent }: { percent: number | null }) {
  if (percent === null) return NOTHING;
  const text = formatPercent(percent);
  return (
    <span className={`num whitespace-nowrap ${toneOf(text)}`}>
      <Arrow of={text} />
      {text}
    </span>
  );
}

/** ▲ +4 pt: how a chance changed. `change` is 0.04 for four points. */
export function DirectionPoints({ change }: { change: number | null }) {
  if (change === null) return NOTHING;
  const text = formatPoints(change);
  return (
    <span className={`num whitespace-nowrap ${toneOf(text)}`}>
      <Arrow of={text} />
      {text} pt
    </span>
  );
}

/** What is shown decides, not what was rounded away: of a text without a sign nothing points. */
function Arrow({ of }: { of: string }) {
  if (!isSigned(of)) return null;
  return <span aria-hidden="true">{isUp(of) ? "▲ " : "▼ "}</span>;
}

function toneOf(text: string): string {
  if (!isSigned(text)) return "text-text-2";
  return isUp(text) ? "text-up" : "text-down";
}

const isUp = (text: string) => text.startsWith("+");
const isSigned = (text: string) => isUp(text) || text.startsWith(MINUS);
