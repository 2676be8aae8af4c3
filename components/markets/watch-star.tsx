"use client";

import { Star } from "lucide-react";
import { useFormStatus } from "react-dom";

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
  return (
    <form action={action} className="shrink-0">
      {Object.entries(subject).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="watch" value={isWatched ? "off" : "on"} />
      <StarButton title={title} isWatched={isWatched} />
    </form>
  );
}

/** Shows at once what it is about to become. */
function StarButton({ title, isWatched }: Pick<Props, "title" | "isWatched">) {
  const { pending } = useFormStatus();
  const isOn = pending !== isWatched;
  return (
    <button
      type="submit"
      aria-pressed={isOn}
      aria-label={`Watch ${title}`}
      className="grid size-11 place-items-center rounded-control text-text-3 hover:bg-surface-2 hover:text-text aria-pressed:text-warn lg:size-8"
    >
      <Star aria-hidden="true" className={`size-4 ${isOn ? "fill-current" : ""}`} />
    </button>
  );
}
