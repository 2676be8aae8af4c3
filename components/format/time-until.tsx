"use client";

import { usePreferences } from "@/components/format/preferences";
import { ScreenAndPaper } from "@/components/format/screen-and-paper";
import {
  formatDaysUntil,
  formatInstant,
  formatUntil,
  formatUtc,
  spellUntil,
} from "@/components/format/times";
import { useBrowserValue } from "@/lib/browser/use-hydrated";

const STEP_MS = 5_000;

interface Props {
  at: string;
  /** The time of the server's render, for the first text. */
  now: number;
}

/** The remaining time until an instant, or the instant once it has passed. */
export function TimeUntil({ at, now }: Props) {
  const { zone, hour12 } = usePreferences();
  const nowMs = useNow(now);
  const left = formatUntil(at, nowMs);
  const instant = formatInstant(at, { zone, hour12 });
  return (
    <time dateTime={at} title={formatUtc(at)} className="num whitespace-nowrap">
      {left === null ? (
        instant
      ) : (
        <ScreenAndPaper
          screen={
            <>
              <span aria-hidden="true">{left}</span>
              <span className="sr-only">in {spellUntil(at, nowMs)}</span>
            </>
          }
          paper={instant}
        />
      )}
    </time>
  );
}

/** An instant and the time that remains until it: 14 Oct 2027, 18:00 · 325 d. */
export function ClosesIn({ at, now }: Props) {
  const { zone, hour12 } = usePreferences();
  const nowMs = useNow(now);
  const left = formatDaysUntil(at, nowMs);
  return (
    <time dateTime={at} title={formatUtc(at)} className="num whitespace-nowrap">
      {formatInstant(at, { zone, hour12 })}
      {left !== null && (
        <span className="print:hidden">
          <span aria-hidden="true"> · {left}</span>
          <span className="sr-only">, in {spellUntil(at, nowMs)}</span>
        </span>
      )}
    </time>
  );
}

function useNow(initial: number): number {
  return useBrowserValue(subscribe, currentStep, () => initial);
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}

/** Rounded up, so that the remaining time is never overstated. */
const currentStep = () => Math.ceil(Date.now() / STEP_MS) * STEP_MS;
