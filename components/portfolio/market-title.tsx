import { V2_MARK } from "@/lib/domain/protocol";

interface Props {
  title: string;
  /** Whether it may take two lines. */
  isTwoLines?: boolean;
}

/** A market's title. If it is cut, the mark of its protocol stays visible. */
export function MarketTitle({ title, isTwoLines = false }: Props) {
  const cut = isTwoLines ? "line-clamp-2" : "truncate";
  if (!title.endsWith(V2_MARK)) return <span className={cut}>{title}</span>;
  return (
    <span className="flex min-w-0">
      <span className={cut}>{title.slice(0, -V2_MARK.length)}</span>
      <span className="shrink-0 whitespace-pre">{V2_MARK}</span>
    </span>
  );
}
