import "server-only";
import { env } from "@/lib/env";

/**
 * Returns the client's IP address from X-Forwarded-For. Our server appends the last entry; each
 * trusted proxy in front of it appends one more. Earlier entries can be forged.
 */
export function clientAddress(headers: Pick<Headers, "get">): string {
  const addresses = (headers.get("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  return addresses.at(-1 - env().TRUSTED_PROXIES) || "unknown";
}
