import Link from "next/link";
import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Shares } from "@/components/format/values";
import type { NotificationList } from "@/lib/schemas/notifications";

export type NotificationWire = z.input<typeof NotificationList>["notifications"][number];

/** Notifications, newest first. Each leads to its order, position or market. */
export function NotificationItems({ notifications }: { notifications: NotificationWire[] }) {
  return (
    <ul className="divide-y divide-border">
      {notifications.map(({ seq, title, text, href, shares, usdc, createdAt, isUnread }) => (
        <li key={seq}>
          <Link
            href={href}
            prefetch={false}
            className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 px-3 py-2.5 hover:bg-surface-2 sm:px-4"
          >
            <span
              aria-hidden="true"
              className={`mt-1.5 size-2 rounded-full border ${isUnread ? "border-accent bg-accent" : "border-transparent"}`}
            />
            <span className="min-w-0">
              <span className="block font-[550]">
                {isUnread && <span className="sr-only">New: </span>}
                {title}
              </span>
              <span className="line-clamp-2 text-small text-text-2">{text}</span>
            </span>
            <span className="text-right">
              {shares !== null && (
                <span className="block">
                  <Shares shares={shares} /> shares
                </span>
              )}
              {usdc !== null && (
                <span className="block font-[550] text-up">
                  <Money usdc={usdc} />
                </span>
              )}
              <span className="block text-small text-text-3">
                <TimeStamp at={createdAt} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
