const TONES = {
  primary: "bg-ink text-on-ink hover:opacity-90",
  secondary: "border border-control bg-surface text-text hover:bg-surface-2",
  quiet: "text-text-2 hover:bg-surface-2 hover:text-text",
  buy: "bg-up text-on-ink hover:opacity-90",
  sell: "bg-down text-on-ink hover:opacity-90",
  danger: "border border-danger bg-surface text-danger hover:bg-surface-2",
} as const;

const SIZES = {
  small: "h-11 lg:h-7 px-2.5 text-small",
  normal: "h-11 lg:h-9 px-4 text-body",
  large: "h-11 px-4 text-body",
} as const;

export interface Look {
  tone?: keyof typeof TONES;
  size?: keyof typeof SIZES;
  isWide?: boolean;
}

/** Returns the classes of a button, also for plain links on pages that load little JavaScript. */
export function getButtonClasses({
  tone = "secondary",
  size = "normal",
  isWide = false,
}: Look): string {
  return [
    "inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-[550] whitespace-nowrap",
    "forced-colors:border print:hidden",
    "transition-[background-color,opacity] duration-[120ms]",
    "disabled:cursor-not-allowed disabled:border-transparent disabled:bg-surface-3 disabled:text-text-3",
    "aria-disabled:cursor-not-allowed aria-disabled:border-transparent aria-disabled:bg-surface-3 aria-disabled:text-text-3 aria-disabled:opacity-100",
    TONES[tone],
    SIZES[size],
    isWide ? "w-full" : "",
  ].join(" ");
}
