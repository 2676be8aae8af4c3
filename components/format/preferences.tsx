"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { TIME_ZONE_COOKIE } from "@/lib/client/cookies";

interface Preferences {
  /** IANA time zone that times are shown in. */
  zone: string;
  hour12: boolean;
  /** How often others' prices are brought up to date. */
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

/** Gives times their zone. The browser's own is noted for the next page the server renders. */
export function PreferencesProvider({ zone, hour12, liveUpdates, children }: Props) {
  useEffect(() => {
    const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    document.cookie = `${TIME_ZONE_COOKIE}=${encodeURIComponent(browserZone)};path=/;max-age=31536000;samesite=lax`;
  }, []);
  const value = useMemo(() => ({ zone, hour12, liveUpdates }), [zone, hour12, liveUpdates]);
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export const usePreferences = () => useContext(PreferencesContext);
