"use client";

import { type ReactNode, useEffect } from "react";
import { allowFetches, stopFetches } from "@/lib/browser/fetcher";

/**
 * The form that signs out. It first stops the page's fetches: those that reach the server after the
 * session's end would be refused, and each refusal is an error in the browser's console.
 */
export function SignOutForm({
  action,
  children,
}: {
  action: () => Promise<void>;
  children: ReactNode;
}) {
  useEffect(allowFetches, []);
  return (
    <form action={action} onSubmit={stopFetches} data-sign-out="">
      {children}
    </form>
  );
}
