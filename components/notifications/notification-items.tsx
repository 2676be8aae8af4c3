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
  /** Whether the times are relative. Below the heading of a day, they are times of that day. */
  isRelative?: boolean;
  /** Renders the form that claims a notification's payout. */
  renderClaim?: (notification: NotificationWire) => ReactNode;
}

/** Notifications, newest first. Each leads to its order, position or market. */
export function NotificationItems({ notifications, isRelative = true, renderClaim }: Props) {
  return (
    <ul className="divide-y divide-border">
      {notifications.map((notification) => (
        <li
          key={notification.seq}
          className="flex items-center hover:bg-surface-2 max-sm:flex-wrap"
        >
          <Item notification={notification} isRelative={isRelative} />
          {renderClaim?.(notification)}
        </li>
      ))}
    </ul>
  );
}

function Item({
  notification,
  isRelative,
}: {
  notification: NotificationWire;
  isRelative: boolean;
}) {
  const { title, text, href, reason, createdAt, isUnread } = notification;
  return (
    <Link
      href={href}
      prefetch={false}
      className="grid min-w-0 flex-1 grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 max-sm:basis-full max-sm:grid-cols-[auto_minmax(0,1fr)] px-3 py-2.5 sm:px-4"
    >
      <KindIcon notification={notification} />
      <span className="min-w-0">
        <span className="block">
          <span className="font-[550]">
            {isUnread && <span className="sr-only">New: </span>}
            {title}
          </span>
          <Figures notification={notification} />
        </span>
        <span className="line-clamp-2 text-small text-text-2">{text}</span>
        {reason !== null && (
          <span className="line-clamp-3 text-small text-danger">
            <RefusalText message={reason} />
          </span>
        )}
      </span>
      <span className="flex items-start gap-2 text-small text-text-3 max-sm:col-start-2">
        <TimeStamp at={createdAt} isRelative={isRelative} />
        <span
          aria-hidden="true"
          className={`mt-1.5 size-2 rounded-full border ${isUnread ? "border-accent bg-accent" : "border-transparent"}`}
        />
      </span>
    </Link>
  );
}

interface Look {
  icon: LucideIcon;
  color: string;
}

const LOOKS: Readonly<Record<NotificationKind, Look>> = {
  filled: { icon: CircleCheck, color: "text-up" },
  approval: { icon: BadgeCheck, color: "text-warn" },
  refused: { icon: CircleX, color: "text-danger" },
  resolved: { icon: Flag, color: "text-info" },
  frozen: { icon: Snowflake, color: "text-info" },
  wallet: { icon: KeyRound, color: "text-warn" },
  webhook: { icon: Webhook, color: "text-danger" },
};
const WON: Look = { icon: Trophy, color: "text-up" };

function KindIcon({ notification: { kind, usdc } }: { notification: NotificationWire }) {
  const { icon: Icon, color } = usdc === null ? LOOKS[kind] : WON;
  return (
    <span
      className={`grid size-8 place-items-center rounded-full bg-surface-2 forced-colors:border ${color}`}
    >
      <Icon aria-hidden="true" className="size-4" />
    </span>
  );
}

/** "60 shares at 15¢ · paid $9.20", or what was won. */
function Figures({ notification }: { notification: NotificationWire }) {
  const { shares, price, tickSize, total, usdc } = notification;
  return (
    <>
      {shares !== null && (
        <span className="text-text-2">
          {" "}
          · <Shares shares={shares} /> shares
          {price !== null && (
            <>
              {" "}
              at <Price price={price} {...(tickSize !== null && { tickSize })} isAverage />
            </>
          )}
        </span>
      )}
      {total !== null && (
        <span className="text-text-2">
          {" "}
          · {total.isPaid ? "paid" : "received"} <Money usdc={total.usdc} />
        </span>
      )}
      {usdc !== null && (
        <span className="font-[550] text-up">
          {" "}
          · <Money usdc={usdc} />
        </span>
      )}
    </>
  );
}
