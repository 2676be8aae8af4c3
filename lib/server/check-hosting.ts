import "server-only";
import type { Env } from "@/lib/env";
import { log } from "@/lib/log";

type HostingSettings = Pick<
  Env,
  | "DATABASE_URL"
  | "NEXTAUTH_URL"
  | "VENUES"
  | "TRUSTED_PROXIES"
  | "MARKET_DATA"
  | "PORT"
  | "CLOB_API_URL"
  | "GAMMA_API_URL"
>;

interface Platform {
  /** A host that starts functions and keeps no disk. */
  isVercel: boolean;
}

/**
 * Refuses combinations of host and settings that lose data or let secrets travel in clear, and warns
 * of those that only weaken a limit. Throws with what is wrong and what to do about it.
 */
export function checkHosting(settings: HostingSettings, { isVercel }: Platform): void {
  const { DATABASE_URL, NEXTAUTH_URL, VENUES, TRUSTED_PROXIES } = settings;
  const origin = new URL(NEXTAUTH_URL);
  if (isVercel && DATABASE_URL === undefined) {
    throw refusal(
      "this host has no disk that lasts, so the embedded database would forget every order",
      "Set DATABASE_URL to a Postgres server.",
    );
  }
  if (isVercel && isLoopback(origin.hostname)) {
    throw refusal(
      "NEXTAUTH_URL is not set, so that nobody could sign in",
      "Set it to the public origin, such as https://ante.example.",
    );
  }
  if (settings.MARKET_DATA === "polymarket" && isOwn(settings)) {
    throw refusal(
      "the paper markets would come from this service's own sandbox, which asks them of itself",
      "Point CLOB_API_URL and GAMMA_API_URL at Polymarket or at another service.",
    );
  }
  const isClear = origin.protocol === "http:" && !isLoopback(origin.hostname);
  if (isClear && VENUES.includes("polymarket")) {
    throw refusal(
      `sessions, API keys and wallet keys would travel to ${origin.origin} in clear`,
      "Put a proxy with TLS in front and set NEXTAUTH_URL to its https origin.",
    );
  }
  if (isClear) {
    log.warn("NEXTAUTH_URL is not https: passwords and API keys travel in clear");
  }
  if (origin.protocol === "https:" && TRUSTED_PROXIES === 0) {
    log.warn("TRUSTED_PROXIES is 0: behind a proxy every visitor counts as one for the limits");
  }
}

/** Whether markets and books would be asked of this very service. */
function isOwn({ CLOB_API_URL, GAMMA_API_URL, NEXTAUTH_URL, PORT }: HostingSettings): boolean {
  const own = new URL(NEXTAUTH_URL).origin;
  return [CLOB_API_URL, GAMMA_API_URL].some((text) => {
    const url = new URL(text);
    return url.origin === own || (isLoopback(url.hostname) && url.port === String(PORT));
  });
}

function refusal(reason: string, cure: string): Error {
  return new Error(`the service does not start: ${reason}. ${cure}`);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
