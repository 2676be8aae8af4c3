"use client";

import { Star } from "lucide-react";
import { type FormEvent, useTransition } from "react";
import { showToast } from "@/lib/client/toasts";

interface Props {
  /** A server action that reads `event` or `marketId`, and `watch`. */
  action: (form: FormData) => Promise<void>;
  /** One market, or every market of an event. */
  subject: { marketId: string } | { event: string };
  title: string;
  isWatched: boolean;
}

/** Puts a market, or an event's markets, on the watchlist and takes them off it. */
export function WatchStar({ action, subject, title, isWatched }: Props) {
  const [isPending, start] = useTransition();
  // A form that keeps its state would do the same, at 300 bytes more of the page for every star.
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    start(() => action(form).catch(tell));
  };
  // Shows at once what it is about to become.
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

/** A page that broke over a star would lose more than the star. Next's own errors lead elsewhere. */
function tell(error: unknown): void {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : "";
  if (digest.startsWith("NEXT_")) throw error;
  showToast({ id: "watch", tone: "error", text: "The watchlist was not changed. Try again." });
}
