"use server";

import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import { createPasskeyCheck } from "@/app/_lib/passkey-check";
import { readProof } from "@/app/_lib/read-proof";
import type { StartPasskeyCheck } from "@/components/security/passkey-button";
import type { ActionState } from "@/components/ui/action-form";
import { getSession, getWaitingSignIn } from "@/app/_lib/require-session";
import { countAddress } from "@/lib/auth/sign-in-limit";
import { SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { isSecureOrigin, sessionCookieName } from "@/lib/auth/session-cookie";
import { completeSignIn } from "@/lib/auth/second-factor/waiting-sign-in";
import { endSession } from "@/lib/auth/manage-sessions";
import { signIn } from "@/lib/auth/sign-in";
import { readBrowser, type StartedSession } from "@/lib/auth/start-session";
import { signInToDemo } from "@/lib/accounts/demo-account";
import { resetPassword } from "@/lib/accounts/reset-password";
import { signUp } from "@/lib/accounts/sign-up";

export async function signInAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const credentials = { email: readText(form, "email"), password: readText(form, "password") };
    const started = await signIn(credentials, readBrowser(await headers()));
    await keepSession(started);
    const next = resolveNextPath(readText(form, "next"));
    redirect(started.isWaiting ? `/sign-in/factor?next=${encodeURIComponent(next)}` : next);
  });
}

/** Finishes a sign-in with its second factor. */
export async function proveSignInAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const waiting = await getWaitingSignIn();
    const next = readText(form, "next");
    if (!waiting) redirect(`/sign-in?expired=1&next=${encodeURIComponent(next)}`);
    const browser = readBrowser(await headers());
    await keepSession(await completeSignIn(waiting, await readProof(form), browser));
    redirect(resolveNextPath(next));
  });
}

/** Creates a passkey challenge for the sign-in that waits in this browser. */
export async function startSignInPasskeyAction(): ReturnType<StartPasskeyCheck> {
  const waiting = await getWaitingSignIn();
  if (!waiting) return { status: "failed", message: "This sign-in has expired. Sign in again." };
  return createPasskeyCheck(waiting);
}

export async function signUpAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const credentials = { email: readText(form, "email"), password: readText(form, "password") };
    await keepSession(await signUp(credentials, readBrowser(await headers())));
    redirect(resolveNextPath(readText(form, "next")));
  });
}

export async function tryDemoAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const browser = readBrowser(await headers());
    await countAddress(browser.address);
    await keepSession(await signInToDemo(browser));
    redirect(resolveNextPath(readText(form, "next")));
  });
}

export async function resetPasswordAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { address } = readBrowser(await headers());
    await resetPassword(readText(form, "token"), readText(form, "password"), address);
    redirect("/sign-in?reset=done");
  });
}

export async function signOutAction(): Promise<void> {
  await endThisSession();
  redirect("/sign-in");
}

/** Signs out of the demo account, and opens the page to create one's own. */
export async function signOutToSignUpAction(): Promise<void> {
  await endThisSession();
  redirect("/sign-up");
}

async function endThisSession(): Promise<void> {
  const session = await getSession();
  if (session) await endSession(session.principal.userId, session.id);
  (await cookies()).delete({
    name: sessionCookieName(),
    path: "/",
    secure: isSecureOrigin(),
  });
}

async function keepSession({ cookie }: StartedSession): Promise<void> {
  (await cookies()).set(sessionCookieName(), cookie, {
    httpOnly: true,
    sameSite: "lax",
    secure: isSecureOrigin(),
    path: "/",
    maxAge: SESSION_MAX_AGE_S,
  });
}

/** A placeholder origin, to resolve paths. */
const HERE = "http://here.invalid";

/** Returns the path to open after signing in. Never leads to another site. */
function resolveNextPath(next: string): string {
  if (!/^\/[\x21-\x7e]*$/.test(next) || !URL.canParse(next, HERE)) return "/";
  const { origin, pathname, search } = new URL(next, HERE);
  return origin === HERE && !pathname.startsWith("//") ? `${pathname}${search}` : "/";
}
