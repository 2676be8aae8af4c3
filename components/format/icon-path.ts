/**
 * Returns the path of a market's icon. The API returns absolute URLs with the public origin, but a
 * page can be open under another host name of the service.
 */
export function toIconPath(url: string): string {
  return url.startsWith("/") ? url : new URL(url).pathname;
}
