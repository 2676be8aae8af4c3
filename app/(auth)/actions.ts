"use server";

import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { type ActionState, runAction, textOf } from "@/app/_lib/action";
import { getSession } from "@/app/_lib/require-session";
import { SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { isSecureOrigin, sessionCookieName } from "@/lib/auth/session-cookie";
import { endSession } from "@/lib/services/sessions/end-session";
import { signIn } from "@/lib/services/sessions/sign-in";
import { browserOf, type StartedSession } from "@/lib/services/sessions/start-session";
import { signInToDemo } from "@/lib/services/users/demo-session";
import { signUp } from "@/lib/services/users/sign-up";

export async function signInAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const credentials = { email: textOf(form, "email"), password: textOf(form, "password") };
    await keepSession(await signIn(credentials, browserOf(await headers())));
    redirect(nextPath(textOf(form, "next")));
  });
}

export async function signUpAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const credentials = { email: textOf(form, "email"), password: textOf(form, "password") };
    await keepSession(await signUp(credentials, browserOf(await headers())));
    redirect(nextPath(textOf(form, "next")));
  });
}

export async function tryDemoAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    await keepSession(await signInToDemo(browserOf(await headers())));
    redirect(nextPath(textOf(form, "next")));
  });
}

export async function signOutAction(): Promise<void> {
  const session = await getSession();
  if (session) await endSession(session.principal.userId, session.id);
  (await cookies()).delete({ name: sessionCookieName(), path: "/" });
  redirect("/sign-in");
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

/** Where to go after signing in: a path of ours, never another site. */
function nextPath(next: string): string {
  return /^\/(?![/\\])/.test(next) ? next : "/";
}
