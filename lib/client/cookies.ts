/**
 * Names and form of the cookies that the browser writes itself. Apart from the schemas, so that no
 * page loads zod for them.
 */
export const DISPLAY_COOKIE = "ante-display";
/** The browser's own time zone, noted by it on its first visit. */
export const TIME_ZONE_COOKIE = "ante-tz";
export const DISPLAY_COOKIE_MAX_AGE_S = 365 * 24 * 3600;

/** Changes one display setting in this browser. The page's attributes are the caller's to change. */
export function writeDisplaySetting(name: string, value: string | boolean): void {
  const match = document.cookie.match(new RegExp(`(?:^|; )${DISPLAY_COOKIE}=([^;]*)`));
  const settings = JSON.parse(decodeURIComponent(match?.[1] ?? "{}")) as Record<string, unknown>;
  settings[name] = value;
  document.cookie = `${DISPLAY_COOKIE}=${encodeURIComponent(JSON.stringify(settings))};path=/;max-age=${DISPLAY_COOKIE_MAX_AGE_S};samesite=lax`;
}
