import "server-only";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { readText } from "@/app/_lib/action";
import type { Prover } from "@/lib/auth/second-factor/check-passkey";
import { findWaitingSignIn } from "@/lib/auth/second-factor/waiting-sign-in";
import { findSession, type Session } from "@/lib/auth/session";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import type { Principal } from "@/lib/auth/principal";
import { PAGE_MODE_FIELD } from "@/lib/browser/page-mode";
import { AppError } from "@/lib/errors";
import { buildSignInHref, type SessionEnd } from "@/lib/domain/sign-in-link";
import { PATH_HEADER } from "@/lib/api/http/page-security";
import type { Mode } from "@/lib/venue/port";

/** Returns the session of this request, or null. Cached per request. */
export const getSession = cache(async (): Promise<Session | null> => {
  const jar = await cookies();
  return findSession(jar.get(sessionCookieName())?.value);
});

/** Returns the sign-in of this browser that waits for its second factor, or null. */
export async function getWaitingSignIn(): Promise<Prover | null> {
  const jar = await cookies();
  return findWaitingSignIn(jar.get(sessionCookieName())?.value);
}

/** Returns the session, or redirects to sign-in or its second step. Every page and action of the dashboard calls it. */
export async function requireSession(): Promise<Session> {
  const session = await getSession();
  if (session) return session;
  const path = (await headers()).get(PATH_HEADER) ?? "/";
  if (await getWaitingSignIn()) redirect(`/sign-in/factor?next=${encodeURIComponent(path)}`);
  redirect(buildSignInHref(path, await classifyEnd()));
}

/** Only a posted form has a content type. A browser that was never signed in has no cookie. */
async function classifyEnd(): Promise<SessionEnd | null> {
  if ((await headers()).has("content-type")) return "unsent";
  return (await cookies()).has(sessionCookieName()) ? "session" : null;
}

/** Returns the session of a form with a `PageModeField`. Throws if it is in the other mode. */
export async function requireSessionInPageMode(form: FormData): Promise<Session> {
  const session = await requireSession();
  const shown = readText(form, PAGE_MODE_FIELD);
  if (shown !== "paper" && shown !== "live") {
    throw new AppError(
      "VALIDATION_ERROR",
      "This form is out of date. Reload the page and try again.",
    );
  }
  assertPageMode(session.principal, shown);
  return session;
}

/**
 * Throws ORDER_REJECTED if the page shows the other account. Another tab can have switched the browser
 * since, and both accounts can have the same markets and key names.
 */
export function assertPageMode({ mode }: Pick<Principal, "mode">, shown: Mode): void {
  if (mode === shown) return;
  const money = mode === "live" ? "real money" : "paper money";
  const message = `You switched this browser to ${money} in another tab, so nothing was changed. Reload this page.`;
  throw new AppError("ORDER_REJECTED", message);
}
