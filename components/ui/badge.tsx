import type { ReactNode } from "react";

const TONES = {
  neutral: "bg-surface-2 text-text-2",
  up: "bg-[color-mix(in_oklab,var(--up)_12%,var(--surface))] text-up",
  down: "bg-[color-mix(in_oklab,var(--down)_12%,var(--surface))] text-down",
  warn: "bg-[color-mix(in_oklab,var(--warn)_12%,var(--surface))] text-warn",
  info: "bg-[color-mix(in_oklab,var(--info)_12%,var(--surface))] text-info",
  danger: "bg-[color-mix(in_oklab,var(--danger)_12%,var(--surface))] text-danger",
} as const;

export type BadgeTone = keyof typeof TONES;

export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-pill px-2 py-0.5 text-caption whitespace-nowrap forced-colors:border ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
