import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { signOutAction } from "@/app/(auth)/actions";
import { FreezeNotice } from "@/app/(dashboard)/_limits/freeze-notice";
import { PaperHead } from "@/app/(dashboard)/_print/paper-head";
import { SessionKeyNotice } from "@/app/(dashboard)/_wallet/session-key-notice";
import { switchModeAction } from "@/app/(dashboard)/actions";
import { markReadAction } from "@/app/(dashboard)/notifications/actions";
import { getDisplay } from "@/app/_lib/display-settings";
import { readSummary } from "@/app/_lib/read-account-figures";
import { countWaitingOrders } from "@/lib/approvals/read-waiting";
import { requireSession } from "@/app/_lib/require-session";
import { RefreshInZone } from "@/components/format/preferences";
import { FreshnessNote } from "@/components/shell/freshness-sign";
import { modeTitle } from "@/components/shell/mode-badge";
import { FocusAfterNavigation } from "@/components/shell/focus-after-navigation";
import { ProgressBar } from "@/components/shell/progress-bar";
import { Sidebar } from "@/components/shell/sidebar";
import { PageModeProvider } from "@/components/shell/page-mode";
import { Shortcuts } from "@/components/shell/shortcuts";
import { TabBar } from "@/components/shell/tab-bar";
import { TopBar } from "@/components/shell/top-bar";
import { WaitingNotice } from "@/components/shell/waiting-notice";
import { Callout } from "@/components/ui/callout";
import { Toaster } from "@/components/ui/toaster";
import type { Principal } from "@/lib/auth/principal";
import { readBooksState } from "@/lib/ops/books-check";
import { listWebhooks } from "@/lib/webhooks/manage-webhooks";
import { getUnread } from "@/lib/notifications/unread";
import { getContractState } from "@/lib/orders/live/contract-watch";
import { findOtherMode } from "@/lib/accounts/switch-mode";

/** Adds the mode to every title. */
export async function generateMetadata(): Promise<Metadata> {
  const { principal } = await requireSession();
  const mode = modeTitle(principal.mode);
  return { title: { default: `Ante · ${mode}`, template: `%s · Ante ${mode}` } };
}

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { principal, email, isLimited } = await requireSession();
  const { shortcuts } = await getDisplay();
  const other = await findOtherMode(principal.userId, principal.mode);
  const actions = {
    signOut: signOutAction,
    switchMode: other && { to: other, action: switchModeAction.bind(null, other) },
  };
  const [summary, books, { unread }, waiting] = await Promise.all([
    readSummary(principal),
    readBooksState(),
    getUnread(principal),
    countWaitingOrders(principal),
  ]);
  return (
    <div className="shell flex min-h-dvh">
      {/*
       * The first paint has the whole shell. Otherwise, what arrives later moves what is shown: the page decides the width
       * of the sidebar and the figures of the bar, and a table's rows the width of its columns.
       */}
      <link rel="expect" href={`#${SHELL_END}`} blocking="render" />
      <a href="#ticket" className={`${SKIP_LINK} hidden lg:with-ticket:block`}>
        Skip to ticket
      </a>
      {/* A narrow page has the ticket's buy buttons instead. */}
      <a href="#buy-bar" className={`${SKIP_LINK} hidden max-lg:with-buy-bar:block`}>
        Skip to buy
      </a>
      <a href="#main" className={SKIP_LINK}>
        Skip to content
      </a>
      <ProgressBar />
      <FocusAfterNavigation />
      <RefreshInZone />
      <Sidebar waiting={waiting} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar
          email={email}
          mode={principal.mode}
          summary={summary}
          actions={actions}
          books={books}
          notifications={{ unread, markRead: markReadAction }}
        />
        <FreshnessNote />
        <main
          id="main"
          className="mx-auto w-full max-w-310 flex-1 has-data-wide:max-w-400 px-4 pt-5 pb-24 lg:px-6 lg:pb-10"
        >
          <PaperHead />
          {principal.mode === "live" && <ContractNotice />}
          {principal.mode === "live" && <SessionKeyNotice userId={principal.userId} />}
          {isLimited && <FreezeNotice principal={principal} />}
          <WaitingNotice waiting={waiting} />
          <WebhookNotice principal={principal} />
          <PageModeProvider mode={principal.mode}>{children}</PageModeProvider>
        </main>
        <TabBar unread={unread} waiting={waiting} />
        <Toaster />
      </div>
      <Shortcuts hasSingleKeys={shortcuts} mode={principal.mode} />
      <template id={SHELL_END} />
    </div>
  );
}

const SHELL_END = "shell-end";

const SKIP_LINK =
  "absolute left-2 -top-20 z-50 rounded-control bg-ink px-3 py-2 text-on-ink focus:top-2";

/** A notice on live pages while Polymarket's API version differs from the supported one. */
function ContractNotice() {
  if (getContractState()?.verdict !== "unknown") return null;
  return (
    <div className="mb-4">
      <Callout tone="danger" role="status" title="Live orders are paused">
        Polymarket changed its API, so Ante isn&rsquo;t placing orders. You can still cancel orders
        and see your account.{" "}
        <Link href="/status" className="link">
          Details
        </Link>
      </Callout>
    </div>
  );
}

/** A notice while an endpoint of the account is disabled because it failed. */
async function WebhookNotice({ principal }: { principal: Principal }) {
  const { webhooks } = await listWebhooks(principal);
  const failed = webhooks.find(({ disabledReason }) => disabledReason !== null);
  if (!failed) return null;
  return (
    <div className="mb-4">
      <Callout tone="warn" role="status" title="A webhook endpoint is disabled">
        {failed.disabledReason}{" "}
        <Link href={`/developers/webhooks/${failed.id}`} className="link">
          View endpoint
        </Link>
      </Callout>
    </div>
  );
}
