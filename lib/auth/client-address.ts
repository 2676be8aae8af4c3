import "server-only";
import { env } from "@/lib/env";

/**
 * Who sent a request, as far as can be trusted: the last address is the one our own front end saw,
 * and each trusted proxy before it has added the one that it saw.
 */
export function clientAddress(headers: Headers): string {
  const addresses = (headers.get("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  return addresses.at(-1 - env().TRUSTED_PROXIES) || "unknown";
}
