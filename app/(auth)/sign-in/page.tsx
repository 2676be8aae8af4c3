import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { signInAction } from "@/app/(auth)/actions";
import { CredentialsForm } from "@/app/(auth)/credentials-form";
import { DemoForm } from "@/app/(auth)/demo-form";
import { getSession } from "@/app/_lib/require-session";
import { Callout } from "@/components/ui/callout";
import { hasDemoAccount } from "@/lib/accounts/demo-account";

interface Props {
  searchParams: Promise<{
    next?: string;
    error?: string;
    reset?: string;
    ended?: string;
    expired?: string;
  }>;
}

/** The title is what a screen reader says first, so it says why the page is here. */
export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { ended } = await searchParams;
  return { title: ended === undefined ? "Sign in" : "Your session has ended. Sign in" };
}

export default async function SignInPage({ searchParams }: Props) {
  if (await getSession()) redirect("/");
  const { next = "/", error, reset, ended, expired } = await searchParams;
  const isOnlyAsked = [error, reset, ended, expired].every((reason) => reason === undefined);
  return (
    <div className="flex flex-col gap-4">
      <section className="card p-4 sm:p-6">
        <h1 className="mb-4 text-title">Sign in</h1>
        {ended !== undefined && error === undefined && (
          <div className="mb-4">
            <Callout tone="warn" role="status" title="Your session has ended.">
              {ended === "unsent" ? (
                <>Your order or change wasn&rsquo;t sent. Sign in to continue where you left off.</>
              ) : (
                "Sign in to continue where you left off."
              )}
            </Callout>
          </div>
        )}
        {isOnlyAsked && next !== "/" && (
          <div className="mb-4">
            <Callout role="status">Sign in to see this page.</Callout>
          </div>
        )}
        {error !== undefined && (
          <div className="mb-4">
            <Callout tone="danger" role="alert">
              Email or password is incorrect.
            </Callout>
          </div>
        )}
        {expired !== undefined && (
          <div className="mb-4">
            <Callout tone="warn" role="status">
              Your sign-in waited too long for the second factor. Sign in again.
            </Callout>
          </div>
        )}
        {reset === "done" && (
          <div className="mb-4">
            <Callout tone="success" role="status">
              Your password was changed. Sign in with the new one.
            </Callout>
          </div>
        )}
        <CredentialsForm action={signInAction} next={next} isNew={false} />
        <p className="mt-3 text-small text-pretty text-text-2">
          Forgot your password? Ask the operator for a reset link.
        </p>
        {(await hasDemoAccount()) && <DemoForm next={next} />}
      </section>
      <p className="text-center text-text-2">
        New here?{" "}
        <Link className="link" href={`/sign-up?next=${encodeURIComponent(next)}`}>
          Create an account
        </Link>{" "}
        ·{" "}
        <Link className="link" href="/docs">
          API reference
        </Link>
      </p>
    </div>
  );
}
