import { V2_MARK } from "@/lib/domain/protocol";

/** A market's title in at most two lines. If it is cut, the mark of its protocol stays visible. */
export function MarketTitle({ title }: { title: string }) {
  if (!title.endsWith(V2_MARK)) return <span className="line-clamp-2">{title}</span>;
  return (
    <span className="flex min-w-0">
      <span className="line-clamp-2">{title.slice(0, -V2_MARK.length)}</span>
      <span className="shrink-0 whitespace-pre">{V2_MARK}</span>
    </span>
  );
}
