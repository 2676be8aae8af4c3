import { Search } from "lucide-react";
import Link from "next/link";
import { AccountFigures } from "@/components/shell/account-figures";
import { type AccountActions, AccountMenu } from "@/components/shell/account-menu";
import { BooksLink } from "@/components/shell/books-link";
import { CommandButton, CommandKey } from "@/components/shell/command-button";
import { HideValuesToggle } from "@/components/shell/hide-values-toggle";
import { NotificationBell } from "@/components/notifications/notification-bell";
import { Mark } from "@/components/shell/mark";
import { ModeBadge } from "@/components/shell/mode-badge";
import type { BooksState } from "@/components/system/books-verdict";
import type { Initial } from "@/lib/browser/use-live";
import type { AccountSummaryWire } from "@/lib/browser/use-summary";
import type { Mode } from "@/lib/venue/port";

interface Props {
  email: string;
  mode: Mode;
  /** Null if the venue doesn't respond. */
  summary: Initial<AccountSummaryWire> | null;
  actions: AccountActions;
  /** The newest check of the books. */
  books: BooksState;
  notifications: { unread: number; markRead: (form: FormData) => Promise<void> };
}

/** The top bar of every page: mode, search and account figures. */
export function TopBar({ email, mode, summary, actions, books, notifications }: Props) {
  return (
    <header
      data-bar=""
      className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-border bg-surface px-2 min-[22.5rem]:px-4 sm:gap-3 lg:px-6"
    >
      <Link href="/" aria-label="Ante, portfolio" className="lg:hidden">
        <Mark />
      </Link>
      <ModeBadge mode={mode} />
      <form
        action="/markets"
        role="search"
        aria-label="Markets"
        className="relative hidden max-w-sm min-w-0 flex-1 md:block"
      >
        <label htmlFor="global-search" className="sr-only">
          Search markets
        </label>
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-2.5 left-3 size-4 text-text-3"
        />
        <input
          id="global-search"
          name="q"
          type="search"
          placeholder="Search markets"
          aria-keyshortcuts="/"
          className="control pr-14 pl-9"
        />
        <CommandKey />
      </form>
      <div className="ml-auto flex min-w-0 items-center gap-1 sm:gap-3">
        {summary ? (
          <AccountFigures initial={summary} />
        ) : (
          <p className="text-small text-text-2">
            Balance unavailable: the exchange isn&rsquo;t responding
          </p>
        )}
        <BooksLink check={books} />
        <CommandButton />
        <HideValuesToggle />
        <NotificationBell mode={mode} {...notifications} />
        <AccountMenu email={email} actions={actions} />
      </div>
    </header>
  );
}
