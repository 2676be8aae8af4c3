"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";
import { X } from "lucide-react";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** While something is on its way the dialog cannot be left. */
  isBusy?: boolean;
  /** On a phone it comes up from below and fills the width. */
  isSheet?: boolean;
  children: ReactNode;
}

/** The platform's modal dialog: focus moves in and comes back to the opener by itself. */
export function Dialog({
  title,
  isOpen,
  onClose,
  isBusy = false,
  isSheet = false,
  children,
}: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (isOpen && dialog && !dialog.open) {
      dialog.showModal();
      // The safe choice of a question, where there is one.
      dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    }
    if (!isOpen) dialog?.close();
  }, [isOpen]);
  const place = isSheet
    ? "max-sm:mb-0 max-sm:max-h-[92dvh] max-sm:w-full max-sm:max-w-full max-sm:rounded-b-none max-sm:rounded-t-sheet"
    : "";
  return (
    <dialog
      ref={ref}
      aria-labelledby={headingId}
      onClose={onClose}
      onCancel={(event) => isBusy && event.preventDefault()}
      className={`w-[min(480px,calc(100vw-32px))] rounded-card bg-surface p-0 shadow-layer ${place}`}
    >
      <div className="flex items-center justify-between gap-3 border-b border-border px-4 py-2">
        <h2 id={headingId} tabIndex={-1} className="text-heading outline-none">
          {title}
        </h2>
        <button
          type="button"
          aria-label="Close"
          disabled={isBusy}
          onClick={onClose}
          className="-mr-2 grid size-11 place-items-center rounded-control text-text-2 hover:bg-surface-2 lg:size-8"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      </div>
      <div className="p-4">{isOpen && children}</div>
    </dialog>
  );
}
