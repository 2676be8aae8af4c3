import "server-only";
import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { findSession, sealSession, SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { isSecureOrigin } from "@/lib/auth/session-cookie";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { endSession } from "@/lib/auth/manage-sessions";
import { signIn } from "@/lib/auth/sign-in";
import { readBrowser } from "@/lib/auth/start-session";

/** Configures next-auth over our own sessions: its token contains the id of a session row. */
export function authOptions(): NextAuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: SESSION_MAX_AGE_S },
    useSecureCookies: isSecureOrigin(),
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: async (credentials, request) => {
          return authorize(credentials, new Headers(request.headers as Record<string, string>));
        },
      }),
    ],
    callbacks: {
      jwt: async ({ token, user }) => {
        if (user && "sessionId" in user) return { sub: user.id, sid: user.sessionId };
        const { sub, sid } = token;
        const isAlive =
          typeof sid === "string" && sub && (await findSession(await sealSession(sid, sub)));
        if (!isAlive) throw new Error("the session has ended");
        return { sub, sid };
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        const { sub, sid } = token;
        if (sub && typeof sid === "string") await endSession(sub, sid);
      },
    },
    logger: {
      error: (code, metadata) =>
        log.warn(
          `next-auth: ${/^[A-Z_]{1,40}$/.test(code) ? code : "error"}`,
          metadata instanceof Error ? errorFields(metadata) : {},
        ),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

const Form = z.object({ email: z.string().max(320), password: z.string().max(1024) });

async function authorize(credentials: unknown, headers: Headers) {
  try {
    const form = Form.safeParse(credentials);
    if (!form.success || form.data.email.includes("\0")) return null;
    const { userId, sessionId } = await signIn(form.data, readBrowser(headers));
    return { id: userId, sessionId };
  } catch (error) {
    // next-auth would show the message of an error that is thrown here.
    if (!(error instanceof AppError)) log.error("sign-in failed", errorFields(error));
    return null;
  }
}
