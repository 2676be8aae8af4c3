"use client";

import { PanelLeft } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import {
  ACCOUNT_DESTINATIONS,
  type Destination,
  isAt,
  MAIN_DESTINATIONS,
} from "@/components/shell/navigation";
import { CountBadge } from "@/components/ui/count-badge";
import { Mark } from "@/components/shell/mark";
import { toggleRail } from "@/lib/browser/display";

/**
 * The sidebar: with labels on wide screens, icons only below 1280 px and beside wide pages.
 *
 * @param props.waiting the number of orders that wait for approval.
 */
export function Sidebar({ waiting }: { waiting: number }) {
  return (
    <nav
      aria-label="Main"
      className="sticky top-0 hidden h-dvh w-14 shrink-0 flex-col gap-1 overflow-y-auto border-r border-border bg-surface px-2 py-3 on-wide-page:w-14! on-wide-page:px-2! in-data-[rail=icons]:w-14! lg:flex xl:w-58 xl:px-3"
    >
      <Link
        href="/"
        className="mb-3 flex h-9 items-center gap-2 px-2 text-heading"
        aria-label="Ante"
      >
        <Mark />
        <span className={LABEL}>Ante</span>
      </Link>
      <Group items={MAIN_DESTINATIONS} />
      <hr className="my-2 border-border" />
      <Group items={ACCOUNT_DESTINATIONS} waiting={waiting} />
      <button
        type="button"
        aria-label="Collapse sidebar"
        aria-keyshortcuts="["
        title="Collapse sidebar ([)"
        onClick={toggleRail}
        className="mt-auto hidden size-9 place-items-center rounded-control text-text-2 hover:bg-surface-2 hover:text-text xl:grid noscript:hidden"
      >
        <PanelLeft aria-hidden="true" className="size-4.5" />
      </button>
    </nav>
  );
}

const LABEL = "hidden on-wide-page:hidden! in-data-[rail=icons]:hidden! xl:inline";

function Group({ items, waiting = 0 }: { items: readonly Destination[]; waiting?: number }) {
  const pathname = usePathname();
  const isWaiting = (href: string) => href === "/approvals" && waiting > 0;
  return (
    <ul className="flex flex-col gap-0.5">
      {items.map(({ href, label, icon: Icon, key }) => (
        <li key={href}>
          <Link
            href={href}
            prefetch={false}
            title={label}
            aria-label={isWaiting(href) ? `${label}, ${waiting} waiting` : label}
            aria-current={isAt(pathname, href) ? "page" : undefined}
            aria-keyshortcuts={key && `g ${key}`}
            className="relative flex h-9 items-center gap-3 rounded-control border-l-2 border-transparent px-2 text-text-2 hover:bg-surface-2 hover:text-text aria-[current]:border-ink aria-[current]:bg-surface-3 aria-[current]:text-text"
          >
            <Icon aria-hidden="true" className="size-4.5 shrink-0" />
            <span className={LABEL}>{label}</span>
            {isWaiting(href) && (
              <span className="absolute top-0.5 right-0.5 xl:top-1/2 xl:right-2 xl:-translate-y-1/2 on-wide-page:top-0.5! on-wide-page:right-0.5! on-wide-page:translate-y-0! in-data-[rail=icons]:top-0.5! in-data-[rail=icons]:right-0.5! in-data-[rail=icons]:translate-y-0!">
                <CountBadge count={waiting} word="waiting" />
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}
