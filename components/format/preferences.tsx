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
  /** Whether the zone is the browser's, as far as the server knows it. */
  isBrowserZone: boolean;
  children: ReactNode;
}

/**
 * Provides the display preferences. Stores the browser's time zone for the server, and renders the page again if
 * the server took another one: on the first visit, or after a journey.
 */
export function PreferencesProvider({ zone, isBrowserZone, hour12, liveUpdates, children }: Props) {
  const router = useRouter();
  useEffect(() => {
    const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const entry = `${TIME_ZONE_COOKIE}=${encodeURIComponent(browserZone)}`;
    const wasStored = document.cookie.split("; ").includes(entry);
    document.cookie = `${entry};path=/;max-age=31536000;samesite=lax`;
    if (!wasStored && isBrowserZone && browserZone !== zone) router.refresh();
  }, [router, zone, isBrowserZone]);
  const value = useMemo(() => ({ zone, hour12, liveUpdates }), [zone, hour12, liveUpdates]);
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export const usePreferences = () => useContext(PreferencesContext);
