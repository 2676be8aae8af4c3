import "server-only";
import { isIP } from "node:net";
import type { PasskeySupport } from "@/lib/domain/second-factor";
import { env } from "@/lib/env";

export interface RelyingParty {
  /** The host name that passkeys are bound to. */
  id: string;
  /** The origin of the pages that may use them. */
  origin: string;
}

/**
 * Returns who this service is to passkeys; null if it can't have any. Browsers offer passkeys only
 * over https, or http on localhost, and only for host names. A server at a loopback address has them
 * under its other name, localhost.
 */
export function getRelyingParty(): RelyingParty | null {
  const { protocol, hostname, origin, port } = new URL(env().NEXTAUTH_URL);
  const isHttp = protocol !== "https:";
  if (isHttp && LOOPBACK.includes(hostname)) {
    return { id: "localhost", origin: new URL(`http://localhost:${port}`).origin };
  }
  const isLocalhost = hostname === "localhost" || hostname.endsWith(".localhost");
  const isNumeric = isIP(hostname) !== 0 || hostname.startsWith("[");
  if (isNumeric || (isHttp && !isLocalhost)) return null;
  return { id: hostname, origin };
}

const LOOPBACK: readonly string[] = ["127.0.0.1", "[::1]"];

/**
 * Returns whether a page of this host can use passkeys, and otherwise where they work.
 *
 * @param headers those of the page's request. After a form, Next asks for the page itself, at an address
 *   of its own; the form's `Origin` then says where the browser is.
 */
export function findPasskeySupport(headers: Pick<Headers, "get">): PasskeySupport {
  const host = readOriginHost(headers.get("origin")) ?? headers.get("host");
  const party = getRelyingParty();
  if (party === null) return "nowhere";
  const isAtLoopback = LOOPBACK.some((name) => host === name || host?.startsWith(`${name}:`));
  return isAtLoopback ? { at: party.origin } : "here";
}

function readOriginHost(origin: string | null): string | null {
  return origin !== null && URL.canParse(origin) ? new URL(origin).host : null;
}
