import "server-only";
import ipaddr from "ipaddr.js";
import { AppError } from "@/lib/errors";

const MAX_URL = 2_048;
/** Names that never belong to a public host (RFC 6761, 6762, 8375, and names of cloud metadata). */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|local|internal|home\.arpa|intranet|lan|corp|private|test|invalid|example|onion)$/;
/** The public addresses of IPv6; everything else is reserved or for local use. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Returns the address of an endpoint. Throws VALIDATION_ERROR unless it is https with a public host. A
 * name is checked here by what it says, and by its addresses whenever something is sent to it.
 *
 * @param allowsPrivate also accepts http and private hosts, for development.
 */
export function checkWebhookUrl(text: string, allowsPrivate: boolean): URL {
  if (text.length > MAX_URL) throw refuse(`must have at most ${MAX_URL} characters`);
  if (!URL.canParse(text)) throw refuse("must be a URL such as https://example.com/hooks");
  const url = new URL(text);
  const isHttp = allowsPrivate && url.protocol === "http:";
  if (url.protocol !== "https:" && !isHttp) throw refuse("must begin with https://");
  if (url.username !== "" || url.password !== "")
    throw refuse("must not have a user or a password");
  if (url.hash !== "") throw refuse("must not have a fragment");
  if (!allowsPrivate && !isPublicHost(url.hostname)) {
    throw refuse("must be a public address: this host is private, local or reserved");
  }
  return url;
}

const refuse = (rule: string) => new AppError("VALIDATION_ERROR", `url: ${rule}`, { field: "url" });

/** @param hostname as WHATWG URL writes it: IPv4 in any spelling is dotted decimal, IPv6 in brackets. */
function isPublicHost(hostname: string): boolean {
  const address = readAddress(hostname);
  if (address !== null) return isPublicAddress(address);
  return hostname.includes(".") && !hostname.endsWith(".") && !PRIVATE_NAME.test(hostname);
}

/** Returns the address that a URL's host spells, without brackets; null for a name. */
export function readAddress(hostname: string): string | null {
  const text = hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(text) ? text : null;
}

/** Whether an address can be reached from the public internet, and only from there. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}
