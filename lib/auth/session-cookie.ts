import "server-only";
import { env } from "@/lib/env";

export function isSecureOrigin(): boolean {
  return env().NEXTAUTH_URL.startsWith("https:");
}

/** Returns next-auth's name for the cookie. Browsers accept the `__Secure-` prefix only over HTTPS. */
export function sessionCookieName(): string {
  return `${isSecureOrigin() ? "__Secure-" : ""}next-auth.session-token`;
}
