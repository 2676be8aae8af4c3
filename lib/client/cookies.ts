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
  const settings = { ...readSettings(), [name]: value };
  document.cookie = `${DISPLAY_COOKIE}=${encodeURIComponent(JSON.stringify(settings))};path=/;max-age=${DISPLAY_COOKIE_MAX_AGE_S};samesite=lax`;
}

/** What the cookie has; nothing when it was spoiled, as the server takes it too. */
function readSettings(): object {
  const match = document.cookie.match(new RegExp(`(?:^|; )${DISPLAY_COOKIE}=([^;]*)`));
  try {
    const settings: unknown = JSON.parse(decodeURIComponent(match?.[1] ?? "{}"));
    return typeof settings === "object" && settings !== null ? settings : {};
  } catch {
    return {};
  }
}
