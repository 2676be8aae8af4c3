import type { Metadata } from "next";
import { headers } from "next/headers";
import Link from "next/link";
import { redirect } from "next/navigation";
import { proveSignInAction, startSignInPasskeyAction } from "@/app/(auth)/actions";
import { SignInFactorForm } from "@/app/(auth)/sign-in/factor/sign-in-factor-form";
import { getWaitingSignIn } from "@/app/_lib/require-session";
import { findPasskeySupport } from "@/lib/auth/second-factor/relying-party";
import { findSignInNeed } from "@/lib/auth/second-factor/waiting-sign-in";

export const metadata: Metadata = { title: "Confirm it\u2019s you" };

/** The second step of a sign-in, after the right password. */
export default async function SignInFactorPage({ searchParams }: PageProps<"/sign-in/factor">) {
  const waiting = await getWaitingSignIn();
  const { next } = await searchParams;
  const path = typeof next === "string" ? next : "/";
  if (!waiting) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  const proof = {
    need: await findSignInNeed(waiting),
    email: waiting.email,
    passkeySupport: findPasskeySupport(await headers()),
    startPasskeyCheck: startSignInPasskeyAction,
  };
  return (
    <div className="flex flex-col gap-4">
      <section className="card p-4 sm:p-6">
        <h1 className="mb-1 text-title">Confirm it&rsquo;s you</h1>
        <p className="mb-5 text-text-2">
          Password accepted. Confirm the sign-in of{" "}
          <strong className="wrap-anywhere text-text">{waiting.email}</strong> with your second
          factor.
        </p>
        <SignInFactorForm action={proveSignInAction} next={path} proof={proof} />
        <p className="mt-4 text-small text-text-2">
          Lost your second factor and your recovery codes? Ask the operator to remove it.
        </p>
      </section>
      <p className="text-center text-text-2">
        <Link className="link" href="/sign-in">
          Sign in as someone else
        </Link>
      </p>
    </div>
  );
}
