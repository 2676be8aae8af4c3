"use client";

import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import {
  ACCOUNT_DESTINATIONS,
  isAt,
  MAIN_DESTINATIONS,
  NOTIFICATIONS,
} from "@/components/shell/navigation";
import { CountBadge } from "@/components/ui/count-badge";
import { useUnread } from "@/lib/browser/use-unread";

const TABS = MAIN_DESTINATIONS.slice(0, 4);
const MORE = [NOTIFICATIONS, ...MAIN_DESTINATIONS.slice(4), ...ACCOUNT_DESTINATIONS];
const ITEM =
  "flex h-14 flex-col items-center justify-center gap-0.5 text-caption text-text-2 aria-[current]:text-text";

/** The phone's navigation. "More" is a disclosure, so that it works without JavaScript. */
export function TabBar({ unread: initial, waiting }: { unread: number; waiting: number }) {
  const unread = useUnread(initial);
  const pathname = usePathname();
  const isMore = MORE.some(({ href }) => isAt(pathname, href));
  return (
    <nav
      aria-label="Main"
      data-bar=""
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-border bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {TABS.map(({ href, label, icon: Icon }) => (
        <Link
          key={href}
          href={href}
          prefetch={false}
          aria-current={isAt(pathname, href) ? "page" : undefined}
          className={ITEM}
        >
          <Icon aria-hidden="true" className="size-5" />
          {label}
        </Link>
      ))}
      <details data-menu="" className="group">
        <summary aria-current={isMore ? "true" : undefined} className={`${ITEM} list-none`}>
          <Ellipsis aria-hidden="true" className="size-5" />
          More
        </summary>
        <ul className="fixed inset-x-0 bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-h-[calc(100dvh-3.5rem-env(safe-area-inset-bottom))] overflow-y-auto rounded-t-sheet border-t border-border bg-surface p-2 shadow-layer">
          {MORE.map(({ href, label, icon: Icon }) => (
            <li key={href}>
              <Link
                href={href}
                prefetch={false}
                aria-current={isAt(pathname, href) ? "page" : undefined}
                className="flex h-12 items-center gap-3 rounded-control px-3 hover:bg-surface-2 aria-[current]:bg-surface-3"
              >
                <Icon aria-hidden="true" className="size-5" />
                {label}
                {href === NOTIFICATIONS.href && <CountBadge count={unread} word="unread" />}
                {href === "/approvals" && <CountBadge count={waiting} word="waiting" />}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}
