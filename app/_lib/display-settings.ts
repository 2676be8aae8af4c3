import "server-only";
import { cookies } from "next/headers";
import { cache } from "react";
import { DISPLAY_COOKIE, TIME_ZONE_COOKIE } from "@/lib/client/cookies";
import { type DisplaySettings, parseDisplaySettings } from "@/lib/schemas/settings";

/** What every page needs to know of how it is to look. */
export interface Display extends DisplaySettings {
  /** The zone times are shown in: the chosen one, else the browser's, else UTC. */
  zone: string;
}

/** The display settings of this request's browser. */
export const getDisplay = cache(async (): Promise<Display> => {
  const jar = await cookies();
  const settings = parseDisplaySettings(jar.get(DISPLAY_COOKIE)?.value);
  const browserZone = decodeURIComponent(jar.get(TIME_ZONE_COOKIE)?.value ?? "UTC");
  const zone = settings.timeZone === "auto" ? browserZone : settings.timeZone;
  return { ...settings, zone: isTimeZone(zone) ? zone : "UTC" };
});

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
