import type { Metadata } from "next";
import Link from "next/link";
import { resetPasswordAction } from "@/app/(auth)/actions";
import { ResetPasswordForm } from "@/app/(auth)/reset-password/reset-password-form";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { Callout } from "@/components/ui/callout";
import { findReset } from "@/lib/accounts/reset-password";

export const metadata: Metadata = { title: "Reset password" };

interface Props {
  searchParams: Promise<PageQuery>;
}

/** The page of a reset link. Only submitting the form uses up the link. */
export default async function ResetPasswordPage({ searchParams }: Props) {
  const token = toSearchParams(await searchParams).get("token") ?? "";
  const found = await findReset(token);
  return (
    <div className="flex flex-col gap-4">
      <section className="card p-4 sm:p-6">
        <h1 className="mb-4 text-title">Reset password</h1>
        {found ? (
          <ResetPasswordForm action={resetPasswordAction} token={token} email={found.email} />
        ) : (
          <Callout tone="warn" role="alert">
            This link has expired or was already used. Ask the operator for a new one.
          </Callout>
        )}
      </section>
      <p className="text-center text-text-2">
        <Link className="link" href="/sign-in">
          Sign in
        </Link>
      </p>
    </div>
  );
}
