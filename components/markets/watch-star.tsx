"use client";

import { Star } from "lucide-react";
import { type FormEvent, useTransition } from "react";
import { showToast } from "@/lib/browser/toasts";

interface Props {
  /** A server action that reads `event` or `marketId`, and `watch`. */
  action: (form: FormData) => Promise<void>;
  /** One market, or all markets of an event. */
  subject: { marketId: string } | { event: string };
  title: string;
  isWatched: boolean;
}

/** Adds a market or an event to the watchlist, or removes it. */
export function WatchStar({ action, subject, title, isWatched }: Props) {
  const [isPending, start] = useTransition();
  // useActionState would add 300 bytes to the page for every star.
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    start(() => action(form).catch(showFailure));
  };
  // Optimistic: shows the new state immediately.
  const isOn = isPending !== isWatched;
  return (
    <form action={action} onSubmit={send} className="shrink-0">
      {Object.entries(subject).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="watch" value={isWatched ? "off" : "on"} />
      <button
        type="submit"
        aria-pressed={isOn}
        aria-label={`Watch ${title}`}
        className="grid size-11 place-items-center rounded-control text-text-3 hover:bg-surface-2 hover:text-text aria-pressed:text-warn lg:size-8"
      >
        <Star aria-hidden="true" className={`size-4 ${isOn ? "fill-current" : ""}`} />
      </button>
    </form>
  );
}

/** Shows a toast instead of an error page. Next's own errors, such as redirects, are rethrown. */
function showFailure(error: unknown): void {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : "";
  if (digest.startsWith("NEXT_")) throw error;
  showToast({ id: "watch", tone: "error", text: "Your watchlist wasn’t changed. Try again." });
}
