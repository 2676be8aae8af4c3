import { V2_MARK } from "@/lib/domain/protocol";

/** A market's title in one line. If it is cut, the mark of its protocol stays visible. */
export function MarketTitle({ title, className = "" }: { title: string; className?: string }) {
  if (!title.endsWith(V2_MARK)) return <span className={`truncate ${className}`}>{title}</span>;
  return (
    <span className={`flex min-w-0 ${className}`}>
      <span className="truncate">{title.slice(0, -V2_MARK.length)}</span>
      <span className="shrink-0 whitespace-pre">{V2_MARK}</span>
    </span>
  );
}
