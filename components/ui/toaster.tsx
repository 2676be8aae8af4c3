"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { type MouseEvent, useSyncExternalStore } from "react";
import {
  dismissToast,
  holdToasts,
  listToasts,
  releaseToasts,
  subscribeToToasts,
  type Toast,
} from "@/lib/browser/toasts";

const NONE: ReturnType<typeof listToasts> = [];
const EDGES = { success: "border-l-up", info: "border-l-info", error: "border-l-danger" } as const;

/** The button disappears when pressed, so the focus moves to its toast, which stays open. */
function ActionButton({ label, run }: NonNullable<Toast["action"]>) {
  const act = (event: MouseEvent) => {
    const buttons = event.currentTarget.closest("[data-toast]")?.querySelectorAll("button");
    run();
    [...(buttons ?? [])].at(-1)?.focus();
  };
  return (
    <button type="button" onClick={act} className={`${ACTION_CLASS} font-[550]`}>
      {label}
    </button>
  );
}

/** Enlarges the touch target without making the line higher. */
const ACTION_CLASS =
  "link relative before:absolute before:-inset-x-1 before:-inset-y-3 lg:before:-inset-y-1";

/**
 * Shows the toasts of `showToast` at the bottom right, on a phone under the top bar. Mounted once, in the
 * shell. On a market's page they are beside the ticket, whose button they would cover.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, listToasts, () => NONE);
  return (
    // As wide as the page, whose edges place the messages.
    <div className="mx-auto flex w-full max-w-310 justify-end on-wide-page:max-w-400 lg:pr-6 lg:with-ticket:pr-85 xl:with-ticket:pr-95">
      <section
        aria-label="Messages"
        onMouseEnter={holdToasts}
        onMouseLeave={releaseToasts}
        onFocus={holdToasts}
        onBlur={releaseToasts}
        className="pointer-events-none fixed inset-x-4 top-16 z-50 flex flex-col gap-2 sm:left-auto sm:w-96 lg:inset-x-auto lg:top-auto lg:bottom-4"
      >
        {toasts.map((toast) => (
          <div
            key={toast.id}
            data-toast=""
            role={toast.tone === "error" ? "alert" : "status"}
            className={`pointer-events-auto flex items-start gap-3 rounded-card border border-l-4 border-border bg-surface px-4 py-3 shadow-layer ${EDGES[toast.tone]}`}
          >
            <p className="min-w-0 flex-1 break-words">
              {toast.text}{" "}
              <span className="inline-flex gap-3">
                {toast.action && <ActionButton {...toast.action} />}
                {toast.link && (
                  <Link href={toast.link.href} className={ACTION_CLASS} prefetch={false}>
                    {toast.link.label}
                  </Link>
                )}
              </span>
            </p>
            <button
              type="button"
              aria-label="Dismiss"
              onClick={() => dismissToast(toast.id)}
              className="-my-3 -mr-4 grid size-11 shrink-0 place-items-center rounded-control text-text-2 hover:bg-surface-2 lg:-m-1 lg:size-7"
            >
              <X aria-hidden="true" className="size-4" />
            </button>
          </div>
        ))}
      </section>
    </div>
  );
}
