import "server-only";
import { env } from "@/lib/env";

export function isSecureOrigin(): boolean {
  return env().NEXTAUTH_URL.startsWith("https:");
}

/** next-auth's name for the cookie; browsers accept the prefix over https only. */
export function sessionCookieName(): string {
  return `${isSecureOrigin() ? "__Secure-" : ""}next-auth.session-token`;
}
