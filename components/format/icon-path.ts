/**
 * The path of a market's icon on this site. The interface gives whole addresses, under the public
 * origin; a page may be open under another name of the same service.
 */
export function iconPath(url: string): string {
  return url.startsWith("/") ? url : new URL(url).pathname;
}
