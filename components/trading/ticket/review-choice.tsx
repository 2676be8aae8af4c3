"use client";

import { useState } from "react";
import { showToast } from "@/lib/browser/toasts";
import { useHydrated } from "@/lib/browser/use-hydrated";

interface Props {
  isOn: boolean;
  /** Whether the account has placed an order before. */
  hasOrdered: boolean;
  onChange: (isOn: boolean) => void;
}

/** The setting whether one press places an order. Needs JavaScript; without it, orders are reviewed. */
export function ReviewChoice({ isOn, hasOrdered, onChange }: Props) {
  const isHydrated = useHydrated();
  const help = isOn
    ? null
    : hasOrdered
      ? "Orders are placed without a review."
      : "Your first order is always reviewed.";
  return (
    <div className={isHydrated ? "" : "invisible noscript:hidden"}>
      <label className="inline-flex min-h-11 cursor-pointer items-center gap-2 lg:min-h-6">
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby={help === null ? undefined : "ticket-review-help"}
          onChange={(event) => onChange(event.target.checked)}
          className="size-5 accent-(--ink) lg:size-4"
        />
        Review before placing
      </label>
      {help !== null && (
        <p id="ticket-review-help" className="text-text-2">
          {help}
        </p>
      )}
    </div>
  );
}

/** Returns the setting and its setter, which stores it with the account. */
export function useReviewChoice(
  stored: boolean,
  save: (isOn: boolean) => Promise<void>,
): readonly [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(stored);
  const choose = (next: boolean) => {
    setIsOn(next);
    save(next).catch(() => {
      setIsOn(!next);
      showToast({
        id: "review-setting",
        tone: "error",
        text: "The setting wasn’t saved. Try again.",
      });
    });
  };
  return [isOn, choose];
}
