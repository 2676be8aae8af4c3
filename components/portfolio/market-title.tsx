import { V2_MARK } from "@/lib/domain/protocol";

/**
 * A market's title in at most two lines, three on a phone: often only its date, at the end, tells it from
 * another one. If it is cut, the mark of its protocol stays visible.
 */
export function MarketTitle({ title }: { title: string }) {
  if (!title.endsWith(V2_MARK)) return <span className={CLAMP}>{title}</span>;
  return (
    <span className="flex min-w-0">
      <span className={CLAMP}>{title.slice(0, -V2_MARK.length)}</span>
      <span className="shrink-0 whitespace-pre">{V2_MARK}</span>
    </span>
  );
}

const CLAMP = "line-clamp-3 md:line-clamp-2";
