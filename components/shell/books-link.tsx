import { LockKeyhole, LockKeyholeOpen, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { TimeStamp } from "@/components/format/time-stamp";
import type { BooksState } from "@/components/system/books-verdict";

/**
 * The padlock of the top bar: whether the books balance. It leads to the account's own proof. A phone has
 * room for it on the portfolio; its other pages show only a mismatch.
 */
export function BooksLink({ check }: { check: BooksState }) {
  const isWrong = check !== null && check.problems > 0;
  const Icon = isWrong ? TriangleAlert : check ? LockKeyhole : LockKeyholeOpen;
  const words = isWrong ? "Books don’t balance" : check ? "Books balance" : "Books not checked yet";
  return (
    <Link
      href={isWrong ? "/status" : "/activity/proof"}
      prefetch={false}
      title={words}
      className={`inline-flex size-11 shrink-0 items-center justify-center gap-2 rounded-control text-small hover:bg-surface-2 lg:size-9 xl:w-auto xl:px-2 ${isWrong ? "text-danger" : "text-text-2 hover:text-text max-sm:hidden max-sm:with-figures:inline-flex"}`}
    >
      <Icon
        aria-hidden="true"
        className={`size-4 shrink-0 ${check && !isWrong ? "text-up" : ""}`}
      />
      <span className="sr-only xl:not-sr-only">
        {words}
        {check && (
          <>
            {" "}
            <span aria-hidden="true">· </span>
            {/* Its place stays when the time becomes relative. */}
            <span className="inline-block text-text-3 xl:min-w-37">
              checked <TimeStamp at={check.at} />
            </span>
          </>
        )}
      </span>
    </Link>
  );
}
