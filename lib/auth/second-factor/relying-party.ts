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
 * over https, or http on localhost, and only for host names.
 */
export function getRelyingParty(): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(env().NEXTAUTH_URL);
  const isLocalhost = hostname === "localhost" || hostname.endsWith(".localhost");
  const isNumeric = isIP(hostname) !== 0 || hostname.startsWith("[");
  if (isNumeric || (protocol !== "https:" && !isLocalhost)) return null;
  return { id: hostname, origin };
}
