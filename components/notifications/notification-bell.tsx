"use client";

import { Bell } from "lucide-react";
import Link from "next/link";
import { lazy, Suspense, useState } from "react";
import { CountBadge } from "@/components/ui/count-badge";
import { useUnread } from "@/lib/browser/use-unread";
import type { Mode } from "@/lib/venue/port";

const NewestNotifications = lazy(async () => {
  const { NewestNotifications: component } =
    await import("@/components/notifications/newest-notifications");
  return { default: component };
});

interface Props {
  mode: Mode;
  /** The number of unread notifications, as the server counted it. */
  unread: number;
  markRead: (form: FormData) => Promise<void>;
}

/** The bell of the top bar. Without JavaScript it leads to the page. */
export function NotificationBell({ mode, unread: initial, markRead }: Props) {
  const unread = useUnread(initial);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      data-menu=""
      className="relative hidden min-[22.5rem]:block"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="relative grid size-11 list-none place-items-center rounded-control text-text-2 hover:bg-surface-2 hover:text-text lg:size-9">
        <Bell aria-hidden="true" className="size-5" />
        <span className="sr-only">Notifications</span>
        <span className="absolute top-1 left-1/2 lg:top-0">
          <CountBadge count={unread} word="unread" />
        </span>
      </summary>
      <div className="absolute -right-14 z-40 mt-1 flex max-h-[70vh] w-[min(24rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-card border border-border bg-surface shadow-layer sm:right-0">
        {isOpen && (
          <div className="min-h-0 overflow-y-auto">
            <Suspense fallback={null}>
              <NewestNotifications mode={mode} markRead={markRead} />
            </Suspense>
          </div>
        )}
        <Link
          href="/notifications"
          prefetch={false}
          className="flex h-11 shrink-0 items-center justify-center border-t border-border hover:bg-surface-2"
        >
          All notifications
        </Link>
      </div>
    </details>
  );
}
