import Link from "next/link";
import type { ReactNode } from "react";
import { ScrollRegion } from "@/components/ui/scroll-region";

interface TableProps {
  /** For screen readers only. */
  caption: string;
  head: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
  /** Whether the table is hidden on screens below 768 px, where a CardList replaces it. Paper has the table. */
  hasCards?: boolean;
  /** Whether the children are several `tbody` elements, one per group of rows. */
  hasGroups?: boolean;
}

/** A table that scrolls on its own if it is too wide. */
export function Table({
  caption,
  head,
  children,
  foot,
  hasCards = false,
  hasGroups = false,
}: TableProps) {
  return (
    // The region is positioned, because screen reader texts are positioned absolutely and would
    // otherwise widen the page.
    <ScrollRegion
      label={caption}
      className={`relative overflow-x-auto rounded-b-card ${hasCards ? "hidden md:block print:block" : ""}`}
    >
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-surface-2">{head}</thead>
        {hasGroups ? children : <tbody>{children}</tbody>}
        {foot !== undefined && <tfoot className="border-t border-border">{foot}</tfoot>}
      </table>
    </ScrollRegion>
  );
}

interface HeadCellProps {
  children: ReactNode;
  isNumeric?: boolean;
  /** Makes the column sortable: the link of the head and the current direction. */
  sort?: { href: string; direction: "ascending" | "descending" | "none" };
}

export function HeadCell({ children, isNumeric = false, sort }: HeadCellProps) {
  return (
    <th
      scope="col"
      aria-sort={sort?.direction}
      className={`h-9 px-3 text-caption whitespace-nowrap text-text-3 ${isNumeric ? "text-right" : ""}`}
    >
      {sort ? (
        <Link href={sort.href} prefetch={false} scroll={false} className="hover:text-text">
          {children}
          <span aria-hidden="true">{SORT_MARKS[sort.direction]}</span>
        </Link>
      ) : (
        children
      )}
    </th>
  );
}

const SORT_MARKS = { ascending: " ▴", descending: " ▾", none: "" } as const;

interface CellProps {
  children?: ReactNode;
  isNumeric?: boolean;
  colSpan?: number;
  /** Whether the column takes the width that the others leave, and truncates. */
  isFilling?: boolean;
  /** Whether the cell stays visible at the right edge while the table scrolls, for row actions. */
  isPinned?: boolean;
  /** Whether the cell names its row, for screen readers. */
  isRowHeader?: boolean;
}

export function Cell({
  children,
  isNumeric = false,
  colSpan,
  isFilling = false,
  isPinned = false,
  isRowHeader = false,
}: CellProps) {
  const Tag = isRowHeader ? "th" : "td";
  return (
    <Tag
      scope={isRowHeader ? "row" : undefined}
      colSpan={colSpan}
      className={`h-11 px-3 py-1.5 in-data-[density=compact]:h-9 ${isNumeric ? "num text-right whitespace-nowrap" : ""} ${isFilling ? "w-full max-w-0 min-w-55" : ""} ${isPinned ? "sticky right-0 bg-inherit" : ""} ${isRowHeader ? "text-left font-normal" : ""}`}
    >
      {children}
    </Tag>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return <tr className="border-t border-border bg-surface hover:bg-surface-2">{children}</tr>;
}

interface CardListProps {
  label: string;
  children: ReactNode;
  /** Whether it is shown on every screen, because its place is as narrow as a phone. */
  isAlways?: boolean;
}

/** Replaces a table on a phone, but not on paper. */
export function CardList({ label, children, isAlways = false }: CardListProps) {
  return (
    <ul
      aria-label={label}
      className={`divide-y divide-border ${isAlways ? "" : "md:hidden print:hidden"}`}
    >
      {children}
    </ul>
  );
}
