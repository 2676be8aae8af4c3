import type { Metadata } from "next";
import type { ReactNode } from "react";
import { z } from "zod";
import { signOutAction } from "@/app/(auth)/actions";
import { switchModeAction } from "@/app/(dashboard)/actions";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import { OfflineNote } from "@/components/shell/offline-note";
import { modeTitle } from "@/components/shell/mode-badge";
import { Rail } from "@/components/shell/rail";
import { Shortcuts } from "@/components/shell/shortcuts";
import { TabBar } from "@/components/shell/tab-bar";
import { TopBar } from "@/components/shell/top-bar";
import { Toaster } from "@/components/ui/toaster";
import type { Principal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { AccountSummary } from "@/lib/schemas/dashboard";
import { findOtherMode } from "@/lib/services/sessions/switch-mode";
import { showing, shownAt } from "@/lib/showing";
import { getSummary } from "@/lib/services/portfolio/get-summary";

/** The mode stands in every tab's title. */
export async function generateMetadata(): Promise<Metadata> {
  const { principal } = await requireSession();
  const mode = modeTitle(principal.mode);
  return { title: { default: `Ante · ${mode}`, template: `%s · Ante ${mode}` } };
}

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { principal, email } = await requireSession();
  const { shortcuts } = await getDisplay();
  const other = await findOtherMode(principal.userId, principal.mode);
  const actions = {
    signOut: signOutAction,
    switchMode: other && { to: other, action: switchModeAction.bind(null, other) },
  };
  const summary = await readSummary(principal);
  return (
    <div className="group/shell flex min-h-dvh">
      <a
        href="#main"
        className="absolute left-2 -top-20 z-50 rounded-control bg-ink px-3 py-2 text-on-ink focus:top-2"
      >
        Skip to content
      </a>
      <Rail />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar email={email} mode={principal.mode} summary={summary} actions={actions} />
        <OfflineNote />
        <main
          id="main"
          className="mx-auto w-full max-w-[1240px] flex-1 has-data-wide:max-w-[1600px] px-4 pt-5 pb-24 lg:px-6 lg:pb-10"
        >
          {children}
        </main>
      </div>
      <TabBar />
      <Toaster />
      <Shortcuts hasSingleKeys={shortcuts} signOut={signOutAction} />
    </div>
  );
}

/** Null while a silent venue keeps it to itself: the pages say what we know. */
async function readSummary(principal: Principal) {
  try {
    const shown = await showing(() => getSummary(principal));
    if (!shown.isKnown) return null;
    return { data: z.encode(AccountSummary, shown.value), at: shownAt(shown.silence) };
  } catch (error) {
    if (error instanceof AppError && principal.mode === "live") return null;
    throw error;
  }
}
