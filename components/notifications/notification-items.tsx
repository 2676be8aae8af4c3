import Link from "next/link";
import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Price, Shares } from "@/components/format/values";
import { RefusalText } from "@/components/format/refusal-text";
import type { NotificationList } from "@/lib/schemas/notifications";

export type NotificationWire = z.input<typeof NotificationList>["notifications"][number];

/** Notifications, newest first. Each leads to its order, position or market. */
export function NotificationItems({ notifications }: { notifications: NotificationWire[] }) {
  return (
    <ul className="divide-y divide-border">
      {notifications.map((notification) => (
        <li key={notification.seq}>
          <Item notification={notification} />
        </li>
      ))}
    </ul>
  );
}

function Item({ notification }: { notification: NotificationWire }) {
  const { title, text, href, reason, createdAt, isUnread } = notification;
  return (
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
        {reason !== null && (
          <span className="line-clamp-3 text-small text-danger">
            <RefusalText message={reason} />
          </span>
        )}
      </span>
      <span className="text-right">
        <Figures notification={notification} />
        <span className="block text-small text-text-3">
          <TimeStamp at={createdAt} />
        </span>
      </span>
    </Link>
  );
}

/** "60 shares at 15¢" and the money. */
function Figures({ notification }: { notification: NotificationWire }) {
  const { shares, price, tickSize, total, usdc } = notification;
  return (
    <>
      {shares !== null && (
        <span className="block whitespace-nowrap">
          <Shares shares={shares} /> shares
          {price !== null && (
            <>
              {" "}
              at <Price price={price} {...(tickSize !== null && { tickSize })} isAverage />
            </>
          )}
        </span>
      )}
      {total !== null && (
        <span className="block">
          <Money usdc={total.usdc} />
        </span>
      )}
      {usdc !== null && (
        <span className="block font-[550] text-up">
          <Money usdc={usdc} />
        </span>
      )}
    </>
  );
}
