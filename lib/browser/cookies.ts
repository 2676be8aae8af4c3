/**
 * The cookies that the browser writes itself. They are separate from the schemas, so that pages don't
 * load zod.
 */
export const DISPLAY_COOKIE = "ante-display";
/** The browser's time zone, stored on the first visit. */
export const TIME_ZONE_COOKIE = "ante-tz";
export const DISPLAY_COOKIE_MAX_AGE_S = 365 * 24 * 3600;

/** Stores one display setting. The caller updates the page's attributes. */
export function writeDisplaySetting(name: string, value: string | boolean): void {
  const settings = { ...readSettings(), [name]: value };
  document.cookie = `${DISPLAY_COOKIE}=${encodeURIComponent(JSON.stringify(settings))};path=/;max-age=${DISPLAY_COOKIE_MAX_AGE_S};samesite=lax`;
}

/** Returns the stored settings; none if the cookie is corrupted, like the server. */
function readSettings(): object {
  const match = document.cookie.match(new RegExp(`(?:^|; )${DISPLAY_COOKIE}=([^;]*)`));
  try {
    const settings: unknown = JSON.parse(decodeURIComponent(match?.[1] ?? "{}"));
    return typeof settings === "object" && settings !== null ? settings : {};
  } catch {
    return {};
  }
}
