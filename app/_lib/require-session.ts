import "server-only";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { findSession, type Session } from "@/lib/auth/session";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import type { Principal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { PATH_HEADER } from "@/lib/http/page-security";
import type { Mode } from "@/lib/venue/port";

/** The signed-in user of this request, or null. Looked up once per request. */
export const getSession = cache(async (): Promise<Session | null> => {
  const jar = await cookies();
  return findSession(jar.get(sessionCookieName())?.value);
});

/** Every page and every action of the dashboard starts here. Without a session: the sign-in page. */
export async function requireSession(): Promise<Session> {
  const session = await getSession();
  if (session) return session;
  const path = (await headers()).get(PATH_HEADER);
  redirect(path && path !== "/" ? `/sign-in?next=${encodeURIComponent(path)}` : "/sign-in");
}

/**
 * Refuses what was asked on a page that shows the other account: another tab may have turned the
 * browser to it since, and many things are called alike in both.
 */
export function assertShown({ mode }: Pick<Principal, "mode">, shown: Mode): void {
  if (mode === shown) return;
  const money = mode === "live" ? "real money" : "paper money";
  const message = `This browser was switched to ${money} in another tab. Nothing was done: load this page again.`;
  throw new AppError("ORDER_REJECTED", message);
}
