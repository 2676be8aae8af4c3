import "server-only";
import { isIP } from "node:net";
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

/** Whether a page of this host can add passkeys, and otherwise where one can. */
export type PasskeySupport = "here" | "nowhere" | { at: string };

/** @param host the `Host` header of the page's request. */
export function findPasskeySupport(host: string | null): PasskeySupport {
  const party = getRelyingParty();
  if (party === null) return "nowhere";
  const isAtLoopback = LOOPBACK.some((name) => host === name || host?.startsWith(`${name}:`));
  return isAtLoopback ? { at: party.origin } : "here";
}
