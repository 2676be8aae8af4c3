"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { TIME_ZONE_COOKIE } from "@/lib/browser/cookies";

interface Preferences {
  /** The IANA time zone of displayed times. */
  zone: string;
  hour12: boolean;
  /** How often live data refreshes. */
  liveUpdates: "live" | "slow" | "paused";
}

const PreferencesContext = createContext<Preferences>({
  zone: "UTC",
  hour12: false,
  liveUpdates: "live",
});

interface Props extends Preferences {
  children: ReactNode;
}

/** Provides the display preferences. Stores the browser's time zone for the next server render. */
export function PreferencesProvider({ zone, hour12, liveUpdates, children }: Props) {
  useEffect(() => void storeZone(), []);
  const value = useMemo(() => ({ zone, hour12, liveUpdates }), [zone, hour12, liveUpdates]);
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export const usePreferences = () => useContext(PreferencesContext);

/**
 * Has the server render the page again if it didn't know the browser's time zone: at a visit without the
 * sign-in page, or after a journey to another zone. The page then has all times in the right zone.
 */
export function RefreshInZone() {
  const router = useRouter();
  useEffect(() => {
    // A child's effects run before the provider's.
    if (storeZone()) router.refresh();
  }, [router]);
  return null;
}

/** Stores the browser's time zone. Returns whether the server didn't know it. */
function storeZone(): boolean {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const cookie = `${TIME_ZONE_COOKIE}=${encodeURIComponent(timeZone)}`;
  const isKnown = document.cookie.split("; ").includes(cookie);
  document.cookie = `${cookie};path=/;max-age=31536000;samesite=lax`;
  return !isKnown;
}
