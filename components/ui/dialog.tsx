"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";
import { X } from "lucide-react";
import { useSheetDrag } from "@/components/ui/use-sheet-drag";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Whether a request is running, so that the dialog can't be closed. */
  isBusy?: boolean;
  /** Whether it is a bottom sheet on a phone. */
  isSheet?: boolean;
  /** Whether it fills the height at the right edge, from 640 px on. */
  isDrawer?: boolean;
  /** The current step of a task. Each step starts at the top, with the focus on the heading. */
  step?: string;
  children: ReactNode;
}

const SHEET =
  "max-sm:mb-0 max-sm:max-h-[92dvh] max-sm:w-full max-sm:max-w-full max-sm:rounded-t-sheet max-sm:rounded-b-none max-sm:pb-[env(safe-area-inset-bottom)] max-sm:transition-[translate] max-sm:duration-[240ms] max-sm:ease-[cubic-bezier(.2,.8,.2,1)] max-sm:starting:open:translate-y-full";

const DRAWER =
  "sm:mr-0 sm:my-0 sm:h-dvh sm:max-h-dvh sm:rounded-none sm:transition-[translate] sm:duration-[180ms] sm:starting:open:translate-x-full";

/** The browser's modal dialog, which moves the focus in and back to the opener. */
export function Dialog({
  title,
  isOpen,
  onClose,
  isBusy = false,
  isSheet = false,
  isDrawer = false,
  step = "",
  children,
}: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (isOpen && dialog && !dialog.open) {
      dialog.showModal();
      // The safe choice of a confirmation.
      dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    }
    if (!isOpen) dialog?.close();
  }, [isOpen]);
  const shownStep = useRef(step);
  useEffect(() => {
    if (step === shownStep.current) return;
    shownStep.current = step;
    if (!ref.current?.open) return;
    ref.current.scrollTop = 0;
    ref.current.querySelector("h2")?.focus();
  }, [step]);
  const drag = useSheetDrag(ref, () => !isBusy && onClose());
  return (
    <dialog
      ref={ref}
      aria-labelledby={headingId}
      onClose={onClose}
      onCancel={(event) => isBusy && event.preventDefault()}
      className={`w-[min(30rem,calc(100vw-2rem))] rounded-card bg-surface p-0 shadow-layer ${isSheet ? SHEET : ""} ${isDrawer ? DRAWER : ""}`}
    >
      <div
        className={`sticky top-0 z-10 flex items-center justify-between gap-3 border-b border-border bg-surface px-4 py-2 ${isSheet ? "max-sm:pt-4" : ""}`}
      >
        {isSheet && (
          <div
            {...drag}
            aria-hidden="true"
            className="absolute inset-x-0 top-0 flex h-full touch-none justify-center pt-2 sm:hidden"
          >
            <span className="h-1 w-9 rounded-pill bg-control" />
          </div>
        )}
        <h2 id={headingId} tabIndex={-1} className="text-heading outline-none">
          {title}
        </h2>
        <button
          type="button"
          aria-label="Close"
          disabled={isBusy}
          onClick={onClose}
          className="relative -mr-2 grid size-11 shrink-0 place-items-center rounded-control text-text-2 hover:bg-surface-2 lg:size-8"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      </div>
      <div className="p-4">{isOpen && children}</div>
    </dialog>
  );
}
