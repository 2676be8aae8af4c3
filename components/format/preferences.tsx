"use client";

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
  useEffect(() => {
    const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    document.cookie = `${TIME_ZONE_COOKIE}=${encodeURIComponent(browserZone)};path=/;max-age=31536000;samesite=lax`;
  }, []);
  const value = useMemo(() => ({ zone, hour12, liveUpdates }), [zone, hour12, liveUpdates]);
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export const usePreferences = () => useContext(PreferencesContext);
