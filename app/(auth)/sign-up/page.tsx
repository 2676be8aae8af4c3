import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { signUpAction } from "@/app/(auth)/actions";
import { CredentialsForm } from "@/app/(auth)/credentials-form";
import { getSession } from "@/app/_lib/require-session";
import { formatCount } from "@/components/format/numbers";
import { WELCOME_DEPOSIT } from "@/lib/accounts/sign-up";
import { microToNumber } from "@/lib/units";

export const metadata: Metadata = { title: "Sign up" };

interface Props {
  searchParams: Promise<{ next?: string }>;
}

export default async function SignUpPage({ searchParams }: Props) {
  if (await getSession()) redirect("/");
  const { next = "/" } = await searchParams;
  return (
    <div className="flex flex-col gap-4">
      <section className="card p-4 sm:p-6">
        <h1 className="text-title">Create an account</h1>
        <p className="mt-1 mb-4 text-text-2">
          {`You start with $${formatCount(microToNumber(WELCOME_DEPOSIT))} in paper money.`}
        </p>
        <CredentialsForm action={signUpAction} next={next} isNew />
      </section>
      <p className="text-center text-text-2">
        Already have an account?{" "}
        <Link className="link" href={`/sign-in?next=${encodeURIComponent(next)}`}>
          Sign in
        </Link>
      </p>
    </div>
  );
}
