import type { ReactNode } from "react";

interface Props {
  label: string;
  /** Shares of the limit in percent; together at most 100. */
  usedPercent: number;
  reservedPercent: number;
  isUsedUp: boolean;
  /** The figures, which say the same in words. */
  children: ReactNode;
}

/** How much of a limit is used, as a bar above its figures. */
export function LimitMeter({ label, usedPercent, reservedPercent, isUsedUp, children }: Props) {
  const taken = Math.min(100, usedPercent + reservedPercent);
  return (
    <div className="flex flex-col gap-1">
      <p className="font-[550]">{label}</p>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(taken)}
        aria-valuetext={`${Math.round(taken)}% used`}
        className="overflow-hidden rounded-pill forced-colors:border forced-colors:border-[CanvasText]"
      >
        <svg
          aria-hidden="true"
          viewBox="0 0 100 6"
          preserveAspectRatio="none"
          className="block h-1.5 w-full"
        >
          <rect width="100" height="6" className="fill-surface-3 forced-colors:fill-[Canvas]" />
          <rect width={taken} height="6" className="fill-control forced-colors:fill-[GrayText]" />
          <rect
            width={Math.min(100, usedPercent)}
            height="6"
            className={`forced-colors:fill-[CanvasText] ${isUsedUp ? "fill-warn" : "fill-text-2"}`}
          />
        </svg>
      </div>
      <p className="text-small text-text-2">{children}</p>
    </div>
  );
}
