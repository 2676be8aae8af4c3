"use client";

import { usePreferences } from "@/components/format/preferences";
import { ScreenAndPaper } from "@/components/format/screen-and-paper";
import {
  formatAge,
  formatInstant,
  formatPrecise,
  formatRelative,
  formatUtc,
} from "@/components/format/times";
import { useBrowserValue } from "@/lib/browser/use-hydrated";

/** How often relative times update. */
const STEP_MS = 30_000;

interface Props {
  /** ISO 8601. */
  at: string;
  /**
   * Shows "2 min ago" for the last 24 hours, after hydration and on the screen only. "always" goes on with
   * "3 d ago".
   */
  isRelative?: boolean | "always";
  /** Shows date and time with seconds. The tooltip has the milliseconds. */
  isPrecise?: boolean;
}

/** A time in the user's zone, with UTC in its tooltip. */
export function TimeStamp({ at, isRelative = true, isPrecise = false }: Props) {
  const { zone, hour12 } = usePreferences();
  const write = isRelative === "always" ? formatAge : formatRelative;
  const isAge = isRelative !== false && !isPrecise;
  // Null on the server, whose clock differs from the browser's. A text that stays the same renders nothing again.
  const relative = useBrowserValue(
    subscribe,
    () => (isAge ? write(at, currentStep()) : null),
    () => null,
  );
  const format = isPrecise ? formatPrecise : formatInstant;
  const absolute = format(at, { zone, hour12 });
  // A list of many times stays small without their milliseconds.
  const title = isPrecise ? at : formatUtc(at);
  return (
    <time dateTime={at} title={title} className="num whitespace-nowrap">
      {relative === null ? absolute : <ScreenAndPaper screen={relative} paper={absolute} />}
    </time>
  );
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}

const currentStep = () => Math.ceil(Date.now() / STEP_MS) * STEP_MS;
