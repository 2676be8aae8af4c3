import { CircleUserRound } from "lucide-react";
import Link from "next/link";
import { MenuSubmit } from "@/components/shell/menu-submit";
import { SignOutForm } from "@/components/shell/sign-out-form";
import type { Mode } from "@/lib/venue/port";

const ITEM =
  "flex h-11 w-full items-center rounded-control px-3 text-left hover:bg-surface-2 lg:h-9";

export interface AccountActions {
  signOut: () => Promise<void>;
  /** Switches to the other account; null if there is only one. */
  switchMode: { to: Mode; action: () => Promise<void> } | null;
}

interface Props {
  email: string;
  actions: AccountActions;
}

/** The account menu. A disclosure, so that it works without JavaScript. */
export function AccountMenu({ email, actions }: Props) {
  const { signOut, switchMode } = actions;
  return (
    <details data-menu="" className="relative">
      <summary
        aria-label="Account menu"
        className="grid size-11 list-none place-items-center rounded-control text-text-2 hover:bg-surface-2 hover:text-text lg:size-9"
      >
        <CircleUserRound aria-hidden="true" className="size-5" />
      </summary>
      <div className="absolute right-0 z-40 mt-1 w-60 rounded-card border border-border bg-surface p-2 shadow-layer">
        <p className="truncate px-3 py-2 text-small text-text-2">{email}</p>
        <Link href="/settings" prefetch={false} className={ITEM}>
          Settings
        </Link>
        <Link href="/keys" prefetch={false} className={ITEM}>
          API keys
        </Link>
        {switchMode && (
          <form action={switchMode.action}>
            <MenuSubmit pendingLabel="Switching…" className={ITEM}>
              {switchMode.to === "live" ? "Trade with real money" : "Back to paper money"}
            </MenuSubmit>
          </form>
        )}
        <SignOutForm action={signOut}>
          <MenuSubmit pendingLabel="Signing out…" className={ITEM}>
            Sign out
          </MenuSubmit>
        </SignOutForm>
      </div>
    </details>
  );
}
