import {
  BadgeCheck,
  CircleCheck,
  CircleX,
  Flag,
  KeyRound,
  type LucideIcon,
  Snowflake,
  Trophy,
  Webhook,
} from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Price, Shares } from "@/components/format/values";
import { RefusalText } from "@/components/format/refusal-text";
import type { NotificationKind } from "@/lib/domain/notifications";
import type { NotificationList } from "@/lib/schemas/notifications";

export type NotificationWire = z.input<typeof NotificationList>["notifications"][number];

interface Props {
  notifications: readonly NotificationWire[];
  /** Renders the time of a notification; absent for relative times. */
  renderTime?: (at: string) => ReactNode;
  /** Renders the form that claims a notification's payout. */
  renderClaim?: (notification: NotificationWire) => ReactNode;
}

/** Notifications, newest first. Each leads to its order, position or market. */
export function NotificationItems({
  notifications,
  renderTime = (at) => <TimeStamp at={at} />,
  renderClaim,
}: Props) {
  return (
    <ul className="@container divide-y divide-border">
      {notifications.map((notification) => (
        <li
          key={notification.seq}
          className="flex items-center hover:bg-surface-2 @max-xl:flex-wrap"
        >
          <Item notification={notification} time={renderTime(notification.createdAt)} />
          {renderClaim?.(notification)}
        </li>
      ))}
    </ul>
  );
}

interface ItemProps {
  notification: NotificationWire;
  time: ReactNode;
}

/** In a narrow list, the figures have a line of their own below the title and the time. */
function Item({ notification, time }: ItemProps) {
  const { title, text, href, reason, isUnread } = notification;
  return (
    <Link
      href={href}
      prefetch={false}
      className="grid min-w-0 flex-1 grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 px-3 py-2.5 sm:px-4 @max-xl:basis-full"
    >
      <KindIcon notification={notification} />
      <span className="min-w-0 @max-xl:contents">
        <span className="block @max-xl:contents">
          <span className="font-[550]">
            {isUnread && <span className="sr-only">New: </span>}
            {title}
          </span>
          <Figures notification={notification} />
        </span>
        <span className={`line-clamp-2 text-small text-text-2 ${OWN_LINE}`}>{text}</span>
        {reason !== null && (
          <span className={`line-clamp-3 text-small text-danger ${OWN_LINE}`}>
            <RefusalText message={reason} />
          </span>
        )}
      </span>
      <span className="text-small leading-5 text-text-3 @max-xl:col-start-3 @max-xl:row-start-1">
        {time}
      </span>
    </Link>
  );
}

const OWN_LINE = "@max-xl:col-span-2 @max-xl:col-start-2";

interface Look {
  icon: LucideIcon;
  color: string;
}

const LOOKS: Readonly<Record<NotificationKind, Look>> = {
  filled: { icon: CircleCheck, color: "text-up" },
  approval: { icon: BadgeCheck, color: "text-warn" },
  refused: { icon: CircleX, color: "text-danger" },
  resolved: { icon: Flag, color: "text-info" },
  claim: { icon: CircleX, color: "text-danger" },
  frozen: { icon: Snowflake, color: "text-info" },
  wallet: { icon: KeyRound, color: "text-warn" },
  webhook: { icon: Webhook, color: "text-danger" },
};
const WON: Look = { icon: Trophy, color: "text-up" };

/** The icon of a notification, with a dot if it is unread. */
function KindIcon({ notification: { kind, usdc, isUnread } }: { notification: NotificationWire }) {
  const { icon: Icon, color } = usdc === null ? LOOKS[kind] : WON;
  return (
    <span
      className={`relative grid size-8 place-items-center rounded-full bg-surface-2 forced-colors:border @max-xl:row-span-4 ${color}`}
    >
      <Icon aria-hidden="true" className="size-4" />
      {isUnread && (
        <span
          aria-hidden="true"
          className="absolute -top-0.5 -right-0.5 size-2.5 rounded-full border-2 border-surface bg-accent forced-colors:bg-[Highlight]"
        />
      )}
    </span>
  );
}

/** "60 of 100 shares at 15¢ · paid $9.20", or what was won. */
function Figures({ notification }: { notification: NotificationWire }) {
  const { shares, ordered, price, tickSize, total, usdc } = notification;
  return (
    <>
      {shares !== null && (
        <span className={`text-text-2 ${OWN_LINE}`}>
          <span className="@max-xl:hidden"> · </span>
          <Shares shares={shares} />
          {ordered !== null && ordered.shares !== null && (
            <>
              {" "}
              of <Shares shares={ordered.shares} />
            </>
          )}{" "}
          shares
          {price !== null && (
            <>
              {" "}
              at <Price price={price} {...(tickSize !== null && { tickSize })} isAverage />
            </>
          )}
          {total !== null && (
            <>
              {" "}
              · {total.isPaid ? "paid" : "received"} <Money usdc={total.usdc} />
            </>
          )}
          {ordered !== null && ordered.usdc !== null && (
            <>
              {" "}
              · ordered <Money usdc={ordered.usdc} />
            </>
          )}
        </span>
      )}
      {usdc !== null && (
        <span className={`font-[550] text-up ${OWN_LINE}`}>
          <span className="@max-xl:hidden text-text-2"> · </span>
          <Money usdc={usdc} />
        </span>
      )}
    </>
  );
}
