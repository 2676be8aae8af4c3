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
  /** Vercel runs functions without a persistent disk. */
  isVercel: boolean;
}

/**
 * Checks the settings for the host. Throws for combinations that lose data or send secrets
 * unencrypted, with the fix. Logs a warning for those that only weaken a limit.
 */
export function checkHosting(settings: HostingSettings, { isVercel }: Platform): void {
  const { DATABASE_URL, NEXTAUTH_URL, VENUES, TRUSTED_PROXIES } = settings;
  const origin = new URL(NEXTAUTH_URL);
  if (isVercel && DATABASE_URL === undefined) {
    throw refusal(
      "this host has no persistent disk, so the embedded database would lose every order",
      "Set DATABASE_URL to a Postgres server.",
    );
  }
  if (isVercel && isLoopback(origin.hostname)) {
    throw refusal(
      "NEXTAUTH_URL is not set, so users could not sign in",
      "Set it to the public origin, such as https://ante.example.",
    );
  }
  if (settings.MARKET_DATA === "polymarket" && isOwnSandbox(settings)) {
    throw refusal(
      "the paper markets would come from this service's own sandbox, which has no markets of its own then",
      "Point CLOB_API_URL and GAMMA_API_URL at Polymarket or at another service.",
    );
  }
  const isUnencrypted = origin.protocol === "http:" && !isLoopback(origin.hostname);
  if (isUnencrypted && VENUES.includes("polymarket")) {
    throw refusal(
      `sessions, API keys and wallet keys would be sent to ${origin.origin} unencrypted`,
      "Put a TLS proxy in front and set NEXTAUTH_URL to its https origin.",
    );
  }
  if (isUnencrypted) {
    log.warn("NEXTAUTH_URL is not https: passwords and API keys are sent unencrypted");
  }
  if (origin.protocol === "https:" && TRUSTED_PROXIES === 0) {
    log.warn("TRUSTED_PROXIES is 0: behind a proxy, the limits count all visitors as one");
  }
}

/** Returns whether a market data URL points at this service. */
function isOwnSandbox({
  CLOB_API_URL,
  GAMMA_API_URL,
  NEXTAUTH_URL,
  PORT,
}: HostingSettings): boolean {
  const own = new URL(NEXTAUTH_URL).origin;
  return [CLOB_API_URL, GAMMA_API_URL].some((text) => {
    const url = new URL(text);
    return url.origin === own || (isLoopback(url.hostname) && url.port === String(PORT));
  });
}

function refusal(reason: string, fix: string): Error {
  return new Error(`The service cannot start: ${reason}. ${fix}`);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
