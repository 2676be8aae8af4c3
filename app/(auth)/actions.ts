"use server";

import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { type ActionState, runAction, textOf } from "@/app/_lib/action";
import { getSession } from "@/app/_lib/require-session";
import { countAddress } from "@/lib/auth/sign-in-limit";
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
    const browser = browserOf(await headers());
    await countAddress(browser.address);
    await keepSession(await signInToDemo(browser));
    redirect(nextPath(textOf(form, "next")));
  });
}

export async function signOutAction(): Promise<void> {
  const session = await getSession();
  if (session) await endSession(session.principal.userId, session.id);
  (await cookies()).delete({
    name: sessionCookieName(),
    path: "/",
    secure: isSecureOrigin(),
  });
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

/** Stands for this site, whatever its name is. */
const HERE = "http://here.invalid";

/** Where to go after signing in: a path of ours, never another site. */
function nextPath(next: string): string {
  if (!/^\/[\x21-\x7e]*$/.test(next) || !URL.canParse(next, HERE)) return "/";
  const { origin, pathname, search } = new URL(next, HERE);
  return origin === HERE && !pathname.startsWith("//") ? `${pathname}${search}` : "/";
}
