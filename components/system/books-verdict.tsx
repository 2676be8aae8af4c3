import { LockKeyhole, LockKeyholeOpen, TriangleAlert } from "lucide-react";
import { TimeStamp } from "@/components/format/time-stamp";

/** The newest check of the whole service's books; null before the first. */
export type BooksState = { at: string; problems: number } | null;

/** The result of the newest check in one or two sentences. */
export function BooksVerdict({ check }: { check: BooksState }) {
  if (!check) {
    return (
      <p className="flex gap-2 text-text-2">
        <LockKeyholeOpen aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        The books haven&rsquo;t been checked yet. The first check runs soon.
      </p>
    );
  }
  if (check.problems > 0) {
    return (
      <p className="flex gap-2 text-danger">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          The books don&rsquo;t balance. Checked <TimeStamp at={check.at} isRelative={false} />.
          Contact the operator.
        </span>
      </p>
    );
  }
  return (
    <p className="flex gap-2">
      <LockKeyhole aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-up" />
      <span>
        <strong className="font-[550]">The books balance.</strong>{" "}
        <span className="text-text-2">
          Checked <TimeStamp at={check.at} isRelative={false} />: every balance equals the sum of
          its transfers, every position the sum of its fills, and all of it sums to zero.
        </span>
      </span>
    </p>
  );
}
