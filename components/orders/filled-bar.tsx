import { formatShares } from "@/components/format/numbers";
import { Masked } from "@/components/format/values";

interface Props {
  filled: number;
  /** The ordered shares; null for an order by amount. */
  of: number | null;
}

/** "40 / 100" with a progress bar; for an order by amount only the filled shares. */
export function FilledBar({ filled, of }: Props) {
  if (of === null) return <Masked>{formatShares(filled)}</Masked>;
  return (
    <span className="inline-flex min-w-[9ch] flex-col items-end gap-1">
      <Masked>
        {formatShares(filled)} / {formatShares(of)}
      </Masked>
      <svg
        aria-hidden="true"
        viewBox="0 0 64 4"
        width="64"
        height="4"
        className="overflow-hidden rounded-pill"
      >
        <rect width="64" height="4" className="fill-surface-3" />
        {of > 0 && (
          <rect width={Math.min(64, (filled / of) * 64)} height="4" className="fill-text-2" />
        )}
      </svg>
    </span>
  );
}
