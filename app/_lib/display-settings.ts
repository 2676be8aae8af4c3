import "server-only";
import { cookies } from "next/headers";
import { cache } from "react";
import { DISPLAY_COOKIE, DISPLAY_COOKIE_MAX_AGE_S, TIME_ZONE_COOKIE } from "@/lib/browser/cookies";
import { findTimeZone } from "@/lib/domain/time-zones";
import { type DisplaySettings, parseDisplaySettings } from "@/lib/schemas/settings";

/** The display settings with the resolved time zone. */
export interface Display extends DisplaySettings {
  /** The chosen zone, otherwise the browser's, otherwise UTC. */
  zone: string;
}

/** Returns the display settings of this request's browser. */
export const getDisplay = cache(async (): Promise<Display> => {
  const jar = await cookies();
  const settings = parseDisplaySettings(jar.get(DISPLAY_COOKIE)?.value);
  const browserZone = jar.get(TIME_ZONE_COOKIE)?.value ?? "UTC";
  const timeZone = settings.timeZone === "auto" ? null : findTimeZone(settings.timeZone);
  const zone = timeZone ?? findTimeZone(browserZone) ?? "UTC";
  return { ...settings, timeZone: timeZone ?? "auto", zone };
});

/** Changes some of this browser's display settings. Next percent-encodes the cookie's text. */
export async function saveDisplay(change: Partial<DisplaySettings>): Promise<void> {
  const jar = await cookies();
  const settings = { ...parseDisplaySettings(jar.get(DISPLAY_COOKIE)?.value), ...change };
  jar.set(DISPLAY_COOKIE, JSON.stringify(settings), {
    path: "/",
    maxAge: DISPLAY_COOKIE_MAX_AGE_S,
    sameSite: "lax",
  });
}
