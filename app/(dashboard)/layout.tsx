import type { Metadata } from "next";
import type { ReactNode } from "react";
import { z } from "zod";
import { signOutAction } from "@/app/(auth)/actions";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import { OfflineNote } from "@/components/shell/offline-note";
import { Rail } from "@/components/shell/rail";
import { Shortcuts } from "@/components/shell/shortcuts";
import { TabBar } from "@/components/shell/tab-bar";
import { TopBar } from "@/components/shell/top-bar";
import { Toaster } from "@/components/ui/toaster";
import { AccountSummary } from "@/lib/schemas/dashboard";
import { getSummary } from "@/lib/services/portfolio/get-summary";

export const metadata: Metadata = {
  title: { default: "Ante · Paper", template: "%s · Ante Paper" },
};

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { principal, email } = await requireSession();
  const { shortcuts } = await getDisplay();
  const summary = z.encode(AccountSummary, await getSummary(principal));
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
        <TopBar
          email={email}
          mode={principal.mode}
          summary={{ data: summary, at: Date.now() }}
          signOut={signOutAction}
        />
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
