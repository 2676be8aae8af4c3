import "server-only";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { findSession, type Session } from "@/lib/auth/session";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { PATH_HEADER } from "@/lib/http/page-security";

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
