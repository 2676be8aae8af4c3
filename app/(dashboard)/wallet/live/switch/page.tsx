import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { switchToLiveAction } from "@/app/(dashboard)/actions";
import { SwitchForm } from "@/app/(dashboard)/wallet/live/switch/switch-form";
import { PageHeader } from "@/components/ui/page-header";
import { findOtherMode } from "@/lib/accounts/switch-mode";

export const metadata: Metadata = { title: "Switch to real money" };

export default async function SwitchPage() {
  const session = await requireSession();
  const { userId, mode } = session.principal;
  if (mode === "live") redirect("/");
  if ((await findOtherMode(userId, mode)) === null) redirect("/wallet/live");
  return (
    <div className="mx-auto max-w-[640px]">
      <PageHeader
        title="Switch to real money"
        description="This browser then shows and trades your live account until you switch back."
      />
      <SwitchForm action={switchToLiveAction} proof={await loadProof(session, "switch_to_live")} />
    </div>
  );
}
