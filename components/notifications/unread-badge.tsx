import { MAX_UNREAD } from "@/lib/domain/notifications";

/** The number of unread notifications; nothing if there are none. */
export function UnreadBadge({ unread }: { unread: number }) {
  if (unread === 0) return null;
  return (
    <span className="num relative block w-max rounded-full border border-surface bg-accent px-1.5 text-caption leading-4 font-[550] text-on-ink">
      {unread < MAX_UNREAD ? unread : `${MAX_UNREAD - 1}+`}
      <span className="sr-only"> unread</span>
    </span>
  );
}
