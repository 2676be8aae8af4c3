const MOST = 99;

interface Props {
  count: number;
  /** The word after the number for screen readers, such as "unread". */
  word: string;
}

/** A number beside an icon or a link; nothing for zero. */
export function CountBadge({ count, word }: Props) {
  if (count === 0) return null;
  return (
    <span className="num relative block w-max rounded-full border border-surface bg-accent px-1.5 text-caption leading-4 font-[550] text-on-ink">
      {count <= MOST ? count : `${MOST}+`}
      <span className="sr-only"> {word}</span>
    </span>
  );
}
