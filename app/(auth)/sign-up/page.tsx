import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { signUpAction } from "@/app/(auth)/actions";
import { CredentialsForm } from "@/app/(auth)/credentials-form";
import { getSession } from "@/app/_lib/require-session";

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
        <p className="mt-1 mb-4 text-text-2">It starts with 10,000 USDC of paper money.</p>
        <CredentialsForm action={signUpAction} next={next} isNew />
      </section>
      <p className="text-center text-text-2">
        You have one?{" "}
        <Link className="link" href={`/sign-in?next=${encodeURIComponent(next)}`}>
          Sign in
        </Link>
      </p>
    </div>
  );
}
